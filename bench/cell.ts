import type { ServerNode } from '../test/support/launch/topology.js'
import { startChild, type Child, type ChildMessage } from '../test/support/child.js'
import { COUNTER } from './client/tasks/inside.js'
import type { LoopTask } from './client/tasks/loop.js'
import type { TaskName, tasks } from './client/tasks/tasks.js'
import type { ClientSettings, Contender, SessionOptions } from './contenders/contender.js'
import type { Sizes } from './sizes.js'

const CLIENT = new URL('client/client.ts', import.meta.url)

type Task<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[1]
type Answer<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>

/** A process that uses the contender of a cell. */
export class Client {
  readonly #child: Child
  readonly #contender: string

  constructor(child: Child, contender: string) {
    this.#child = child
    this.#contender = contender
  }

  /** The same process, that uses another contender. */
  using(contender: Contender): Client {
    return new Client(this.#child, contender.name)
  }

  /** Has the process do something; resolves with what it has measured. */
  async perform<Name extends TaskName>(task: Name, facts: Task<Name>): Promise<Answer<Name>> {
    this.#child.tell('task', { task, facts, contender: this.#contender })
    return (await this.#child.hear('done')) as unknown as Answer<Name>
  }

  /** Has the process do so often what it will do, so that nothing of it is new when it is measured. */
  async warmUp(sizes: Sizes, { kind, flows }: Pick<LoopTask, 'kind' | 'flows'>): Promise<void> {
    const { warmUps: sections, limitMs } = sizes
    await this.perform('loop', { kind, flows, name: 'bench:warm-up', inside: 'nothing', sections, limitMs })
  }

  /** Tells the process something in the middle of a task. */
  tell(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#child.tell(event, facts)
  }

  /** Resolves with what the process tells of an event in the middle of a task. */
  async hear(event: string): Promise<ChildMessage> {
    return this.#child.hear(event)
  }
}

/** One contender at one workload: processes and keys that are there for it alone. */
export class Cell implements AsyncDisposable {
  readonly contender: Contender
  readonly sizes: Sizes
  readonly #nodes: readonly ServerNode[]
  readonly #children: Child[] = []
  /** Whose process it uses, if not one of its own. */
  readonly #host: Cell | undefined
  #client: Client | undefined

  private constructor(contender: Contender, nodes: readonly ServerNode[], sizes: Sizes, host?: Cell) {
    this.contender = contender
    this.sizes = sizes
    this.#nodes = nodes
    this.#host = host
  }

  /** Begins with empty servers. */
  static async open(contender: Contender, nodes: readonly ServerNode[], sizes: Sizes): Promise<Cell> {
    await Promise.all(nodes.map((node) => node.command('FLUSHALL')))
    return new Cell(contender, nodes, sizes)
  }

  /**
   * Another contender in the process that the cell starts, if both are of Node: they have the same core then, and the same way to the
   * server. It has to be asked for its client later than the other.
   */
  static beside(cell: Cell, contender: Contender): Cell {
    const isOfNode = cell.contender.start === undefined && contender.start === undefined
    return new Cell(contender, cell.#nodes, cell.sizes, isOfNode ? cell : undefined)
  }

  /** Starts processes; resolves when they are connected. */
  clients(count: number): Promise<Client[]> {
    return Promise.all(Array.from({ length: count }, () => this.client()))
  }

  /** Starts a process; resolves when it is connected. Leases last as long as the sizes say, unless they shall not. */
  async client({ leaseMs = this.sizes.leaseMs }: Partial<SessionOptions> = {}): Promise<Client> {
    const shared = this.#host && this.#host.#client
    if (shared) return shared.using(this.contender)
    const settings: ClientSettings = {
      contender: this.contender.name,
      servers: this.#nodes.map(({ host, port }) => ({ host, port })),
      leaseMs,
    }
    const { start = startInNode } = this.contender
    const child = start(settings)
    this.#children.push(child)
    await child.hear('ready')
    this.#client = new Client(child, this.contender.name)
    return this.#client
  }

  /** What the sections have counted. */
  async counted(): Promise<number> {
    return Number(await this.#nodes[0]?.command('GET', COUNTER))
  }

  /** How many keys there are besides the number that is counted. */
  async keysLeft(): Promise<number> {
    const sizes = await Promise.all(this.#nodes.map((node) => node.command('DBSIZE')))
    const counters = Number(await this.#nodes[0]?.command('EXISTS', COUNTER))
    return sizes.reduce<number>((sum, size) => sum + Number(size), 0) - counters
  }

  /** Kills all processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()))
  }
}

function startInNode(settings: ClientSettings): Child {
  return startChild(CLIENT, { args: [JSON.stringify(settings)] })
}
