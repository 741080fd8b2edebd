import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortTakenError } from './free-ports.js'
import { protect, temporaryFolder } from './guard.js'
import type { Fleet, Launcher, ServerPlan } from './launcher.js'
import { NodeConnection } from './node-connection.js'
import { LOOPBACK } from './server-plans.js'
import type { RunningNode } from './topology.js'

/** Starts servers as processes of this machine. `binary` is a `redis-server` or `valkey-server`. */
export function localLauncher(binary: string): Launcher {
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' })
  const [, number = '', major = '0'] = /v=((\d+)[\d.]*)/.exec(version) ?? []
  return {
    description: `${version.split(' ', 1).join()} ${number} on this machine`,
    bind: LOOPBACK,
    major: Number(major),
    launch: (plans) => launch(binary, plans),
  }
}

async function launch(binary: string, plans: readonly ServerPlan[]): Promise<Fleet> {
  const nodes = plans.map((plan) => new LocalNode(binary, plan))
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.remove()))
  }
  const starts = await Promise.allSettled(nodes.map((node) => node.start()))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  return { nodes, stop }
}

/** How long a server may take until it replies: long, for a busy machine. */
const ANSWER_WITHIN_MS = 20_000

class LocalNode implements RunningNode {
  readonly host = LOOPBACK
  readonly port: number
  readonly #binary: string
  readonly #arguments: readonly string[]
  readonly #folder: string
  readonly #connection: NodeConnection
  #process: ChildProcess | undefined

  constructor(binary: string, { port, arguments: args, files = {} }: ServerPlan) {
    this.port = port
    this.#binary = binary
    this.#arguments = args
    this.#folder = temporaryFolder()
    this.#connection = new NodeConnection(this)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.#folder, name), content)
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  async start(): Promise<void> {
    const log = openSync(this.#log, 'w')
    // A session of its own: Ctrl+C is for the runner, which stops the servers in its own time.
    const server = spawn(this.#binary, this.#arguments, {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    server.once('error', () => undefined) // shows as a process without an id
    server.unref()
    protect(server)
    this.#process = server
    await this.#untilItAnswers(server)
  }

  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#connection.command(name, ...args)
  }

  async kill(): Promise<void> {
    const server = this.#process
    if (!server || hasEnded(server)) return
    const { promise: gone, resolve } = Promise.withResolvers<undefined>()
    server.once('exit', () => {
      resolve(undefined)
    })
    server.ref() // it is waited for
    server.kill('SIGKILL')
    await gone
  }

  pause(): Promise<void> {
    return this.#signal('SIGSTOP')
  }

  resume(): Promise<void> {
    return this.#signal('SIGCONT')
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  async remove(): Promise<void> {
    this.#connection.close()
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #log(): string {
    return join(this.#folder, 'server.log')
  }

  #signal(signal: NodeJS.Signals): Promise<void> {
    if (this.#process?.kill(signal)) return Promise.resolve()
    return Promise.reject(new Error(`The server at port ${this.port} is not running`))
  }

  async #untilItAnswers(server: ChildProcess): Promise<void> {
    const deadline = performance.now() + ANSWER_WITHIN_MS
    while (!hasEnded(server) && performance.now() < deadline) {
      if (await this.#answersAs(server.pid)) return
      await sleep(5)
    }
    const log = readFileSync(this.#log, 'utf8')
    if (/address already in use/i.test(log)) throw new PortTakenError(this.port)
    throw new Error(`${this.#binary} did not start: ${log.trim().split('\n').slice(-5).join('\n')}`)
  }

  /** Whether it is our process that replies, and not another that has the port. */
  async #answersAs(pid: number | undefined): Promise<boolean> {
    try {
      const facts = String(await this.command('INFO', 'server'))
      return facts.includes(`process_id:${pid}\r`)
    } catch {
      return false
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
