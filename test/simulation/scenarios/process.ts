import type * as Library from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import type { Host } from '../world/host.js'
import type { Fate, Interceptor, Message } from '../world/network/message.js'
import type { World } from '../world/world.js'
import { isMessage, isUnknownScript, runsScript } from './messages.js'

/** Settings of a client, for a server of the stage. */
export interface ClientSettings extends Library.CommonOptions {
  /** Settings of the connection. The server of the stage where no address is given. */
  readonly server?: Partial<Library.SingleServerOptions>
}

/** Which script of a process is meant. */
export interface WhichScript {
  /** One that is given this word: the name of a key, or an argument. */
  readonly with?: string
  /**
   * The first of those, the second, …
   *
   * @defaultValue 1
   */
  readonly nth?: number
  /** A plain command by its name, instead of a script. */
  readonly command?: string
}

/** What a process runs in. */
export interface Surroundings {
  readonly world: World
  readonly library: typeof Library
  readonly host: Host
  readonly redis: SimulatedRedis
}

/** A simulated process with a client, and the network between it and its server. */
export class Process {
  readonly client: Library.RedissonClient
  readonly #surroundings: Surroundings

  private constructor(surroundings: Surroundings, client: Library.RedissonClient) {
    this.#surroundings = surroundings
    this.client = client
  }

  /** Starts a client in a process. */
  static async open(surroundings: Surroundings, settings: ClientSettings): Promise<Process> {
    const { redis } = surroundings
    const { server, ...common } = settings
    const options = { ...common, singleServerConfig: { address: `redis://${redis.address}`, ...server } }
    return Process.create(surroundings, options)
  }

  /** Starts a client in a process, for any servers. */
  static async create(surroundings: Surroundings, options: Library.RedissonOptions): Promise<Process> {
    const { host, library } = surroundings
    return new Process(surroundings, await host.start(() => library.Redisson.create(options)))
  }

  /** Starts one more client in this process. */
  another(settings: ClientSettings = {}): Promise<Process> {
    return Process.open(this.#surroundings, settings)
  }

  /** Runs a program in this process. */
  run<T>(program: (client: Library.RedissonClient) => T | PromiseLike<T>): Promise<T> {
    return this.#surroundings.host.start(() => program(this.client))
  }

  /** Settles when the client has connected again. */
  reconnected(): Promise<void> {
    return this.run((client) => new Promise((resolve) => client.on('reconnected', () => resolve())))
  }

  /** Ends this process at once, as SIGKILL does. */
  kill(): void {
    this.#surroundings.host.stop()
  }

  /** Lets the event loop of this process stand still. */
  freeze(ms: number): void {
    this.#surroundings.host.pause(ms)
  }

  /** Sets the time of day of this process. */
  stepClock(ms: number): void {
    this.#surroundings.host.stepClock(ms)
  }

  /** Breaks its connections. It may connect again at once. */
  cut(): void {
    this.#network.cut(this.#link)
  }

  /** Has messages in both directions take that many times as long. */
  slow(times: number): void {
    this.#network.slow(this.#link, times)
  }

  /** Has replies to this process arrive that much later, from now on. */
  delayReplies(delayMs: number): void {
    this.#intercept({
      reply: (reply) => (isMessage(reply) || isUnknownScript(reply) ? undefined : { delayMs }),
    })
  }

  /** Has messages of channels arrive at this process that much later, from now on. */
  delayMessages(delayMs: number): void {
    this.#intercept({ reply: (reply) => (isMessage(reply) ? { delayMs } : undefined) })
  }

  /** Has what its server writes get lost, from now on: requests arrive. Returns how to stop, which breaks the connections. */
  loseReplies(): () => void {
    const stop = this.#intercept({ reply: (reply) => (isUnknownScript(reply) ? undefined : 'lose') })
    return () => {
      stop()
      this.cut()
    }
  }

  /** Decides what becomes of a script that this process is about to run. Settles when that is decided. */
  atScript(which: WhichScript, decision: Fate | ((script: Message) => Fate)): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let left = which.nth ?? 1
    const stop = this.#intercept({
      request: (message) => {
        if (!this.#isMeant(which, message)) return undefined
        left -= 1
        if (left > 0) return undefined
        stop()
        resolve(undefined)
        return typeof decision === 'function' ? decision(message) : decision
      },
    })
    return promise
  }

  /** Has a script run, and its reply arrive that much later. Settles when it has run. */
  delayReply(which: WhichScript, delayMs: number): Promise<void> {
    return this.atScript(which, (script) => {
      const stop = this.#intercept({
        reply: (reply) => {
          if (reply.command?.bytes !== script.bytes) return undefined
          stop()
          return { delayMs }
        },
      })
      return 'deliver'
    })
  }

  /** Has a script run and its reply get lost, and the server be unreachable afterwards. Settles when it has run. */
  loseReply(which: WhichScript, unreachableMs: number): Promise<void> {
    return this.atScript(which, () => {
      this.#refuse(unreachableMs)
      return 'cut-after'
    })
  }

  /** Has a script get lost, and the server be unreachable afterwards. Settles when it is lost. */
  loseRequest(which: WhichScript, unreachableMs: number): Promise<void> {
    return this.atScript(which, () => {
      this.#refuse(unreachableMs)
      return 'cut-before'
    })
  }

  /** Breaks its connections and refuses new ones, for a time. */
  #refuse(ms: number): void {
    this.#network.partition(this.#link, 'refuse', ms)
  }

  get #network(): World['network'] {
    return this.#surroundings.world.network
  }

  get #link(): { readonly host: string; readonly address: string } {
    const { host, redis } = this.#surroundings
    return { host: host.name, address: redis.address }
  }

  #isMeant({ with: word, command }: WhichScript, message: Message): boolean {
    const { redis } = this.#surroundings
    const isThat = command === undefined ? runsScript(redis, message) : message.name === command
    return isThat && (word === undefined || message.words.includes(word))
  }

  /** Sees the messages between this process and its server. */
  #intercept({ request, reply }: Interceptor): () => void {
    const { host, address } = this.#link
    const isMine = ({ route }: Message) => route.host === host && route.address === address
    return this.#network.intercept({
      request: (message) => (isMine(message) ? request?.(message) : undefined),
      reply: (message) => (isMine(message) ? reply?.(message) : undefined),
    })
  }
}
