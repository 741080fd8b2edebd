import type { Chance } from './chance.js'
import type { Clock } from './clock.js'
import type { EventLoop } from './event-loop.js'
import { ConnectAttempt } from './network/connect-attempt.js'
import type { ClientSide, Wiring } from './network/connection.js'
import { DEFAULTS, drawConnectFate, drawFate, withoutFaults, type NetworkOptions } from './network/faults.js'
import { Link, type PartitionMode } from './network/link.js'
import type { ConnectFate, Fate, Interceptor, Message, Route } from './network/message.js'
import { ListeningServer, type Listener } from './network/server.js'
import type { Trace } from './trace.js'

/** Some of the ways between processes and servers: all of them where a name is left out. */
export interface Between {
  /** The name of a process. */
  readonly host?: string
  /** A server, as `host:port`. */
  readonly address?: string
}

/** Where a client connects to. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** The network between processes and servers: how messages travel, and what goes wrong. */
export class Network {
  readonly #clock: Clock
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #servers = new Map<string, ListeningServer>()
  readonly #links = new Map<string, Link>()
  /** Addresses that lead to another server than the one that listens there. */
  readonly #moved = new Map<string, string>()
  /** The addresses of processes. */
  readonly #addresses = new Map<string, string>()
  readonly #interceptors = new Set<Interceptor>()
  #options: Required<NetworkOptions>
  #attempts = 0

  constructor(clock: Clock, trace: Trace, chance: Chance, options: NetworkOptions = {}) {
    this.#clock = clock
    this.#trace = trace
    this.#chance = chance
    this.#options = { ...DEFAULTS, ...options }
  }

  /**
   * Has a server listen at an address, `host:port`.
   *
   * @param loop - what runs the server
   */
  listen(address: string, listener: Listener, loop: EventLoop): ListeningServer {
    if (this.#servers.has(address)) throw new Error(`Something listens at ${address} already`)
    const server = new ListeningServer(address, listener, loop)
    this.#servers.set(address, server)
    return server
  }

  /** Connects a socket of the process that runs. */
  connect(client: ClientSide, { host, port }: Target): ConnectAttempt {
    const { name } = client.loop
    const address = `${host}:${port}`
    const connection = (this.#attempts += 1)
    const link = this.#linkOf(name, address)
    const chance = link.chance.fork(connection)
    const route = { host: name, address, connection }
    const own = `${this.#addressOf(name)}:${FIRST_PORT + connection}`
    return new ConnectAttempt(this.#wiring, { client, route, link, chance, address: own, host, port })
  }

  /** Where servers listen. */
  get addresses(): readonly string[] {
    return [...this.#servers.keys()]
  }

  /** Has an interceptor see every message from now on. Returns how to stop. */
  intercept(interceptor: Interceptor): () => void {
    this.#interceptors.add(interceptor)
    return () => this.#interceptors.delete(interceptor)
  }

  /** Changes how messages travel from now on. */
  configure(options: NetworkOptions): void {
    this.#options = { ...this.#options, ...options }
    for (const link of this.#links.values()) link.limit(link.bandwidth)
  }

  /** Has nothing go wrong by chance from now on, and ends every partition, every slowness, every limit of a link and every absence of a server. */
  calm(): void {
    this.#options = withoutFaults(this.#options)
    this.slow({}, 1)
    this.limit({}, Infinity)
    this.heal({})
    for (const { address } of this.#servers.values()) this.back(address)
  }

  /**
   * Separates processes from servers.
   *
   * @param ms - after this time they are together again; without it, when {@link heal} is called
   */
  partition(between: Between, mode: PartitionMode, ms = Infinity): void {
    for (const link of this.#linksOf(between)) {
      this.#note(link.host, `partition (${mode})`, link.address)
      link.divide(mode)
    }
    this.#after(ms, 'heal', () => this.heal(between))
  }

  /** Ends partitions. */
  heal(between: Between): void {
    for (const link of this.#linksOf(between)) {
      if (link.partition === undefined) continue
      this.#note(link.host, 'healed', link.address)
      link.divide(undefined)
    }
  }

  /**
   * Has messages take longer.
   *
   * @param times - how many times as long as usual
   * @param ms - for how long; without it, for good
   */
  slow(between: Between, times: number, ms = Infinity): void {
    for (const link of this.#linksOf(between)) {
      if (link.slowness === times) continue
      this.#note(link.host, `slow (${times})`, link.address)
      link.slowness = times
    }
    this.#after(ms, 'not slow', () => this.slow(between, 1))
  }

  /**
   * Limits how much fits through links, in each direction. The connections of a link share it.
   *
   * @param bytesPerSecond - `Infinity` for no limit
   * @param ms - for how long; without it, for good
   */
  limit(between: Between, bytesPerSecond: number, ms = Infinity): void {
    for (const link of this.#linksOf(between)) {
      if (link.bandwidth === bytesPerSecond) continue
      this.#note(link.host, `limit (${bytesPerSecond})`, link.address)
      link.limit(bytesPerSecond)
    }
    this.#after(ms, 'no limit', () => this.limit(between, Infinity))
  }

  /**
   * Ends a server: its connections are reset, and new ones are refused.
   *
   * @param ms - after this time it listens again; without it, when {@link back} is called
   */
  away(address: string, ms = Infinity): void {
    const server = this.#serverAt(address)
    this.#note(address, 'away', '')
    server.isAway = true
    for (const connection of [...server.connections]) connection.crashServer()
    this.#after(ms, 'back', () => this.back(address))
  }

  /** Has a server listen again. */
  back(address: string): void {
    const server = this.#serverAt(address)
    if (!server.isAway) return
    this.#note(address, 'back', '')
    server.isAway = false
  }

  /** Lets a server stand still: the system accepts connections for it, and what arrives waits. */
  freeze(address: string, ms: number): void {
    this.#note(address, 'frozen', `${ms} ms`)
    this.#clock.pause(this.#serverAt(address).loop, ms)
  }

  /** Breaks every open connection of some. */
  cut(between: Between): void {
    for (const link of this.#linksOf(between)) {
      this.#note(link.host, 'cut', link.address)
      for (const connection of [...link.connections]) connection.cut()
    }
  }

  /** Breaks every open connection between some but the one with a number. */
  cutOthers(between: Between, number: number | undefined): void {
    const all = this.#linksOf(between).flatMap(({ connections }) => [...connections])
    for (const connection of all) if (connection.route.connection !== number) connection.cut()
  }

  /** Has an address lead to another server from now on, as a proxy or a name does after a failover. Connections that are open stay where they are. */
  move(address: string, to: string): void {
    this.#note(address, 'moves', to)
    this.#moved.set(address, to)
  }

  /** Closes what a process has open, since it has ended. */
  close(loop: EventLoop): void {
    for (const { connections } of this.#links.values())
      for (const connection of [...connections]) if (connection.loop === loop) connection.closeClient()
  }

  get #wiring(): Wiring {
    return {
      clock: this.#clock,
      trace: this.#trace,
      options: () => this.#options,
      serverAt: (address) => this.#servers.get(this.#moved.get(address) ?? address),
      decideConnect: (route, chance) => this.#decideConnect(route, chance),
      decideRequest: (command, chance) => this.#decideRequest(command, chance),
      decideReply: (reply, chance) => this.#decideReply(reply, chance),
      handled: (command) => {
        for (const { handled } of this.#interceptors) handled?.(command)
      },
    }
  }

  /** Chance is asked even where an interceptor decides, so that a decision shifts nothing. */
  #decideConnect(route: Route, chance: Chance): ConnectFate {
    const drawn = drawConnectFate(chance, this.#options)
    return this.#firstOf(({ connecting }) => connecting?.(route)) ?? drawn
  }

  #decideRequest(command: Message, chance: Chance): Fate {
    const drawn = drawFate(chance, this.#options.requestCut)
    return this.#firstOf(({ request }) => request?.(command)) ?? drawn
  }

  #decideReply(message: Message, chance: Chance): Fate {
    const drawn = drawFate(chance, this.#options.replyCut)
    return this.#firstOf(({ reply }) => reply?.(message)) ?? drawn
  }

  /** Every interceptor is asked, since all of them may count. */
  #firstOf<T>(ask: (interceptor: Interceptor) => T | void): T | undefined {
    let first: T | undefined
    for (const interceptor of this.#interceptors) {
      const answer = ask(interceptor) as T | undefined
      first ??= answer
    }
    return first
  }

  #serverAt(address: string): ListeningServer {
    const server = this.#servers.get(address)
    if (server === undefined) throw new RangeError(`Nothing listens at ${address}`)
    return server
  }

  #linkOf(host: string, address: string): Link {
    const key = `${host} ${address}`
    const known = this.#links.get(key)
    if (known !== undefined) return known
    const chance = this.#chance.fork(key)
    const most = () => this.#options.bandwidth
    const link = new Link({ host, address, chance, clock: this.#clock, most })
    this.#links.set(key, link)
    return link
  }

  /** Names that are both given make a link, even before there is a connection. */
  #linksOf({ host, address }: Between): readonly Link[] {
    if (host !== undefined && address !== undefined) return [this.#linkOf(host, address)]
    return [...this.#links.values()].filter(
      (link) => (host ?? link.host) === link.host && (address ?? link.address) === link.address,
    )
  }

  #addressOf(host: string): string {
    const known = this.#addresses.get(host)
    if (known !== undefined) return known
    const address = `10.1.${this.#addresses.size >> 8}.${this.#addresses.size & 255}`
    this.#addresses.set(host, address)
    return address
  }

  #after(ms: number, what: string, run: () => void): void {
    if (ms === Infinity) return
    const { outside, now } = this.#clock
    this.#clock.schedule({ at: now + ms, loop: outside, kind: 'timer', what, run })
  }

  #note(who: string, kind: string, facts: string): void {
    this.#trace.add({ at: this.#clock.now, who, kind, facts })
  }
}

/** Clients have the ports from this one on. */
const FIRST_PORT = 40_000
