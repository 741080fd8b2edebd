import { spawn } from 'node:child_process'
import { inject } from 'vitest'
import type { ClientTopology, ServerNode } from '../support/launch/topology.js'
import { Child, type ChildMessage } from '../support/child.js'
import { protect } from '../support/launch/guard.js'

/** A method and its arguments, as Java has them. */
export type Call = readonly [method: string, ...args: readonly unknown[]]

/** How a client in Java is to be. */
export interface JavaOptions {
  /** Settings beside those that say where the servers are. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Settings of the section that does. */
  readonly section?: Readonly<Record<string, unknown>>
  /** What a name mapper puts before every name. */
  readonly prefix?: string
  /** The class of its codec, or {@link PLAIN_JSON}; that of texts by itself. */
  readonly codec?: string
}

/** An interface of Java. */
export interface JavaInterface {
  /** The names of its methods, inherited ones too, without those with `Async`, deprecated ones and those of `Object`. */
  readonly methods: readonly string[]
  /** The interfaces that it extends, and those that these extend. */
  readonly parents: readonly string[]
}

/** What threw in Java. */
export class JavaError extends Error {
  override readonly name = 'JavaError'
  /** The class of the exception, without its package. */
  readonly type: string

  constructor({ type, message }: { readonly type: string; readonly message: string }) {
    super(message)
    this.type = type
  }
}

/** Starts quickly, and needs little room beside other JVMs. */
const JVM_FLAGS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx384m']

/** Pools as small as they may be; the tests do not ask for many connections at once. */
const SMALL_POOLS: Readonly<Record<ClientTopology['kind'], object>> = {
  single: { connectionMinimumIdleSize: 1 },
  cluster: { masterConnectionMinimumIdleSize: 1, slaveConnectionMinimumIdleSize: 1 },
  sentinel: { masterConnectionMinimumIdleSize: 1, slaveConnectionMinimumIdleSize: 1 },
}

/** A process that runs Redisson for Java. */
export class JavaPeer implements AsyncDisposable {
  readonly #child: Child
  #requests = 0
  #clients = 0

  private constructor(child: Child) {
    this.#child = child
  }

  static async start(): Promise<JavaPeer> {
    const built = inject('javaPeer')
    if (built.missing !== undefined) throw new Error(`There is no peer: ${built.missing}`)
    const process = spawn('java', [...JVM_FLAGS, '-cp', built.classpath, 'Peer'], { stdio: 'pipe' })
    protect(process)
    const child = new Child(process)
    await child.hear('ready')
    return new JavaPeer(child)
  }

  /** Connects a client. It is configured by the file that a service would have, with what Node reads as well. */
  async open(topology: ClientTopology<ServerNode>, options: JavaOptions = {}): Promise<JavaClient> {
    const { settings, section, prefix = '', codec = TEXTS } = options
    const client = `client ${(this.#clients += 1)}`
    const servers = topology.options({ ...SMALL_POOLS[topology.kind], ...section })
    const plainJson = codec === PLAIN_JSON
    const config = withCodec(
      JSON.stringify({ ...servers, ...settings, threads: 8, nettyThreads: 4 }),
      plainJson ? TEXTS : codec,
    )
    const { answer } = await this.ask('open', { client, thread: 'opener', config, prefix, plainJson })
    return new JavaClient(this, client, String(answer))
  }

  /** What `Config.toYAML()` of Redisson prints of a file. */
  async print(config: string): Promise<string> {
    const { answer } = await this.ask('print', { client: 'none', thread: 'printer', config })
    return String(answer)
  }

  /** The names of all settings that Redisson has setters for, by section; those of the client under the empty name. */
  async settings(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { answer } = await this.ask('settings', { client: 'none', thread: 'printer' })
    return answer as Readonly<Record<string, readonly string[]>>
  }

  /** The interfaces of Redisson's client and of what it hands out, by name. */
  async interfaces(): Promise<Readonly<Record<string, JavaInterface>>> {
    const { answer } = await this.ask('interfaces', { client: 'none', thread: 'printer' })
    return answer as Readonly<Record<string, JavaInterface>>
  }

  /** Closes the input of the process, and resolves when it has ended by itself. */
  async end(): Promise<void> {
    this.#child.end()
    await this.#child.exited
  }

  /** Ends the process with SIGKILL. */
  async kill(): Promise<void> {
    await this.#child.kill()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  /** Sends one request; resolves with the facts that come back. */
  async ask(event: string, facts: Readonly<Record<string, unknown>>): Promise<ChildMessage> {
    const id = String((this.#requests += 1))
    this.#child.tell(event, { id, ...facts })
    const message = await this.#child.hear(id)
    if (message['error'] !== undefined)
      throw new JavaError(message['error'] as ConstructorParameters<typeof JavaError>[0])
    return message
  }
}

/** Texts as keys and JSON as values: the twin of what Node has by itself, which no configuration file can name. */
export const PLAIN_JSON = 'CompositeCodec(StringCodec, TypedJsonJacksonCodec)'

/** Makes plain text of values. */
const TEXTS = 'org.redisson.client.codec.StringCodec'

/** Only YAML, of which JSON is part, can name a class. */
function withCodec(config: string, codec: string): string {
  return config.replace(/}$/, `, "codec": !<${codec}> {}}`)
}

/** A client of Redisson for Java. */
export class JavaClient {
  readonly id: string
  readonly #peer: JavaPeer
  readonly #name: string

  constructor(peer: JavaPeer, name: string, id: string) {
    this.#peer = peer
    this.#name = name
    this.id = id
  }

  /** One of its threads, which is made when it is first used. */
  thread(name: string): JavaThread {
    return new JavaThread(this.#peer, this, { client: this.#name, thread: name })
  }

  /** How the peer calls it. */
  get name(): string {
    return this.#name
  }
}

/** What all threads of a mixed load do again and again. */
export interface CountTask {
  readonly take: readonly Call[]
  readonly give: readonly Call[]
  readonly times: number
  /** How many may be inside at once. */
  readonly limit: number
  /** Where the numbers are. */
  readonly counters: JavaClient
}

/** A thread in Java. What it is asked to do it does in order. */
export class JavaThread {
  readonly #peer: JavaPeer
  readonly #client: JavaClient
  readonly #address: { readonly client: string; readonly thread: string }

  constructor(peer: JavaPeer, client: JavaClient, address: { client: string; thread: string }) {
    this.#peer = peer
    this.#client = client
    this.#address = address
  }

  /** Calls a method of the client, then one of what that answers, and so on. */
  async call(...calls: readonly Call[]): Promise<unknown> {
    return (await this.#peer.ask('call', { ...this.#address, calls }))['answer']
  }

  /** Has the thread go in and out. */
  async count({ counters, ...task }: CountTask): Promise<void> {
    await this.#peer.ask('count', { ...this.#address, ...task, counters: counters.name })
  }

  /** Has a topic heard, or what happens to the entries of a map cache or a set cache, by a name for {@link JavaThread.heard}. Resolves once Java has subscribed. */
  async listen(listener: string, ...calls: readonly Call[]): Promise<void> {
    await this.#peer.ask('listen', { ...this.#address, listener, calls })
  }

  /** What a listener has heard: each message with its channel, and for a pattern with that before both. */
  async heard(listener: string): Promise<readonly unknown[]> {
    return (await this.#peer.ask('heard', { ...this.#address, listener }))['answer'] as unknown[]
  }

  /** Has the number of an entry of a map counted up, by `compute` or `merge` with a function in Java. */
  async compute(
    task: { readonly key: unknown; readonly times: number; readonly by: 'compute' | 'merge' },
    ...calls: readonly Call[]
  ): Promise<void> {
    await this.#peer.ask('compute', { ...this.#address, ...task, calls })
  }

  /** Whether it sleeps, in what it was asked last, until a message wakes it. */
  async isAsleep(): Promise<boolean> {
    return (await this.#peer.ask('asleep', this.#address))['answer'] === true
  }

  /** What Redis calls the thread. */
  async owner(): Promise<string> {
    const { threadId } = await this.#peer.ask('call', { ...this.#address, calls: [] })
    return `${this.#client.id}:${String(threadId)}`
  }
}
