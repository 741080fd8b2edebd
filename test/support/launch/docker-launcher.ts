import { setTimeout as sleep } from 'node:timers/promises'
import type { StartedTestContainer } from 'testcontainers'
import { PortTakenError } from './free-ports.js'
import type { Fleet, Launcher, ServerPlan } from './launcher.js'
import { NodeConnection } from './node-connection.js'
import { LOOPBACK } from './server-plans.js'
import type { RunningNode } from './topology.js'

/** The image that is used unless `REDISSON_TEST_IMAGE` names another. */
export const DEFAULT_IMAGE = 'redis:7.4'

/**
 * Starts servers in containers: all servers of a topology in one, on the same port numbers inside and outside, so that
 * the addresses which they announce to each other are valid for tests as well.
 */
export function dockerLauncher(image: string): Launcher {
  return {
    description: `${image} in a container`,
    bind: '0.0.0.0', // the engine does not come in by the loopback interface
    major: majorOf(image),
    launch: (plans) => launch(image, plans),
  }
}

/** Whether a Docker engine runs on this machine. */
export async function dockerAnswers(): Promise<boolean> {
  const containers = await import('testcontainers').catch(() => undefined) // needs a later Node than the library
  if (containers === undefined) return false
  const answer = containers.getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(ENGINE_ANSWERS_WITHIN_MS, false, { ref: false })])
}

const ENGINE_ANSWERS_WITHIN_MS = 5_000
const SERVERS_ANSWER_WITHIN_MS = 30_000

async function launch(image: string, plans: readonly ServerPlan[]): Promise<Fleet> {
  const container = await startContainer(image, plans)
  const nodes = plans.map((plan) => new ContainerNode(container, plan))
  const stop = async (): Promise<void> => {
    for (const node of nodes) node.close()
    await container.stop()
  }
  try {
    if (!isLocal(container.getHost())) throw new Error('The Docker engine has to be on this machine')
    await Promise.all(nodes.map((node) => node.untilItAnswers()))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

async function startContainer(image: string, plans: readonly ServerPlan[]): Promise<StartedTestContainer> {
  const { GenericContainer } = await import('testcontainers')
  try {
    return await new GenericContainer(image)
      .withEntrypoint(['/bin/sh', '-c'])
      .withCommand([containerScript(plans)])
      .withCopyContentToContainer(filesOf(plans))
      .withExposedPorts(...plans.map(({ port }) => ({ container: port, host: port })))
      .start()
  } catch (error) {
    const taken = plans.find(({ port }) => isTaken(port, error))
    if (taken) throw new PortTakenError(taken.port, { cause: error })
    throw error
  }
}

/** Whether the engine's refusal is that of a port in use. */
export function isTaken(port: number, error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error)
  return message.includes(`:${port}`) && /already (allocated|in use)/i.test(message)
}

/** What the container runs: every server in the background, and a shell that reaps those that were killed. */
export function containerScript(plans: readonly ServerPlan[]): string {
  return [...plans.map(startLine), 'while :; do sleep 1; done'].join('\n')
}

/** Starts one server in the container, and writes down its process. */
export function startLine({ port, arguments: args }: ServerPlan): string {
  const all = [...args, '--daemonize', 'yes', '--pidfile', 'server.pid', '--logfile', 'server.log']
  const folder = folderOf(port)
  return `mkdir -p ${folder} && cd ${folder} && ${FIND_SERVER} ${all.map(quoted).join(' ')}`
}

/** Freezes one server in the container, or lets it go on. */
export function signalLine(port: number, signal: 'STOP' | 'CONT'): string {
  return `kill -${signal} "$(cat ${folderOf(port)}/server.pid)"`
}

/** Kills one server in the container, if it still runs, and waits until nothing of it but its number is left. */
export function killLine(port: number): string {
  return [
    `pid=$(cat ${folderOf(port)}/server.pid)`,
    'kill -KILL "$pid" 2>/dev/null',
    `while [ -n "$(tr -d '\\0' 2>/dev/null < "/proc/$pid/cmdline")" ]; do sleep 0.05; done 2>/dev/null`,
  ].join('\n')
}

/** The files of all plans, where their servers look for them. */
export function filesOf(plans: readonly ServerPlan[]): { content: string; target: string }[] {
  return plans.flatMap(({ port, files = {} }) =>
    Object.entries(files).map(([name, content]) => ({ content, target: `${folderOf(port)}/${name}` })),
  )
}

/** The major version in the tag of an image; the newest where there is none. */
export function majorOf(image: string): number {
  const [, major] = /^[^@:]*:(\d+)/.exec(image.slice(image.lastIndexOf('/') + 1)) ?? []
  return major === undefined ? Infinity : Number(major)
}

const FIND_SERVER = '"$(command -v redis-server || command -v valkey-server)"'

function folderOf(port: number): string {
  return `/fleet/${port}`
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`
}

function isLocal(host: string): boolean {
  return ['localhost', LOOPBACK, '::1'].includes(host)
}

class ContainerNode implements RunningNode {
  readonly host = LOOPBACK
  readonly port: number
  readonly #container: StartedTestContainer
  readonly #plan: ServerPlan
  readonly #connection: NodeConnection

  constructor(container: StartedTestContainer, plan: ServerPlan) {
    this.port = plan.port
    this.#container = container
    this.#plan = plan
    this.#connection = new NodeConnection(this)
  }

  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#connection.command(name, ...args)
  }

  async kill(): Promise<void> {
    await this.#run(killLine(this.port))
  }

  async pause(): Promise<void> {
    await this.#run(signalLine(this.port, 'STOP'))
  }

  async resume(): Promise<void> {
    await this.#run(signalLine(this.port, 'CONT'))
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.#run(startLine(this.#plan))
    await this.untilItAnswers()
  }

  async untilItAnswers(): Promise<void> {
    const deadline = performance.now() + SERVERS_ANSWER_WITHIN_MS
    while (!(await this.#answers())) {
      if (performance.now() > deadline) throw new Error(`The server at port ${this.port} does not answer`)
      await sleep(20)
    }
  }

  close(): void {
    this.#connection.close()
  }

  async #answers(): Promise<boolean> {
    try {
      return (await this.command('PING')) === 'PONG'
    } catch {
      return false
    }
  }

  async #run(line: string): Promise<void> {
    const { exitCode, output } = await this.#container.exec(['/bin/sh', '-c', line])
    if (exitCode !== 0) throw new Error(`\`${line}\` failed in the container: ${output.trim()}`)
  }
}
