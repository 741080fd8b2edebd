import type { Server, Socket } from 'node:net'
import type { HostAndPort } from '../../src/api/redisson-options.js'
import { listenAt, onFreePorts } from './launch/free-ports.js'
import { LOOPBACK } from './launch/server-plans.js'
import { ProxiedConnection, type Rules } from './proxy/proxied-connection.js'
import { Trap, type Act, type Match, type Passing, type TrapOptions } from './proxy/trap.js'
import { Valve } from './proxy/valve.js'

/** What clients send, what servers reply, or both. */
export type Direction = 'requests' | 'replies' | 'both'

export interface ResumeOptions {
  /**
   * What becomes of that which was held back. A connection that lost something stays silent in that direction for good,
   * as if the network had forgotten it; new ones work.
   *
   * @defaultValue 'delivered'
   */
  readonly held?: 'delivered' | 'dropped'
}

/** The error of a node of a cluster about a slot that another node has. */
const REDIRECTION = /^-(MOVED|ASK) /

/** Opens a proxy in front of a server. */
export async function startProxy(target: HostAndPort): Promise<TcpProxy> {
  return onFreePorts(1, async ([port = 0]) => {
    const proxy = new TcpProxy(target, port)
    await proxy.accept()
    return proxy
  })
}

/**
 * Stands between clients and one server, and does to their connections what networks do.
 *
 * It understands the protocol well enough to pass whole requests and replies, and to know which belong together.
 */
export class TcpProxy implements HostAndPort, AsyncDisposable {
  readonly host = LOOPBACK
  readonly port: number
  /** The server behind it: where new connections lead. */
  target: HostAndPort
  readonly #valves = { requests: new Valve(), replies: new Valve() }
  readonly #traps = { request: new Set<Trap>(), reply: new Set<Trap>() }
  readonly #connections = new Set<ProxiedConnection>()
  #listener: Server | undefined

  constructor(target: HostAndPort, port: number) {
    this.target = { host: target.host, port: target.port }
    this.port = port
  }

  /** The connections that are open, oldest first. */
  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections]
  }

  /** Breaks every connection with a reset on both sides. New ones are accepted, unless {@link TcpProxy.refuse} was called. */
  cut(): void {
    for (const connection of this.#connections) connection.cut()
  }

  /** Sends bytes to every client, whatever the server sends. */
  say(bytes: string): void {
    for (const connection of this.#connections) connection.say(bytes)
  }

  /** Breaks the connection that carries the byte after that number of bytes, in the middle of a message; once, and no other. */
  cutAfter(bytes: number, direction: 'requests' | 'replies'): void {
    this.#valves[direction].cutAfter(bytes)
  }

  /** Whether a {@link TcpProxy.cutAfter} is still to come. */
  get cuts(): boolean {
    return this.#valves.requests.cuts || this.#valves.replies.cuts
  }

  /** Refuses new connections. Those that are open go on. Nobody else gets the port meanwhile. */
  refuse(): void {
    this.#listener?.close()
    this.#listener = undefined
  }

  /** Accepts connections again, at the same port. */
  async accept(): Promise<void> {
    this.#listener ??= await listenAt(this.port, (client) => {
      this.#serve(client)
    })
  }

  /** Holds back everything, like a black hole: connections stay up, new ones come about, and nothing passes. */
  stall(direction: Direction = 'both'): void {
    for (const valve of this.#chosen(direction)) valve.stall()
  }

  /** Ends a {@link TcpProxy.stall}. */
  resume(direction: Direction = 'both', { held = 'delivered' }: ResumeOptions = {}): void {
    for (const name of directions(direction)) {
      if (held === 'dropped' && this.#valves[name].stalled) {
        for (const connection of this.#connections) connection.drop(name)
      }
      this.#valves[name].resume()
    }
  }

  /** Makes everything take that number of milliseconds longer. */
  delay(ms: number, direction: Direction = 'both'): void {
    for (const valve of this.#chosen(direction)) valve.delayMs = ms
  }

  /** Lets replies vanish while requests still reach the server. A connection that lost one stays silent for good. */
  swallowReplies(): void {
    this.#valves.replies.swallows = true
  }

  /** Ends {@link TcpProxy.swallowReplies} for connections that lost nothing, such as new ones. */
  deliverReplies(): void {
    this.#valves.replies.swallows = false
  }

  /** Acts when a request is about to reach the server. */
  onRequest(match: Match, act: Act = doNothing, options?: TrapOptions): Trap {
    return add(this.#traps.request, new Trap(match, act, options))
  }

  /**
   * Acts when the reply to a request is about to reach the client: the server has run it, and the client does not know.
   * A server that redirects the client has not run it: that is no reply.
   *
   * A subscription is answered by its confirmation.
   */
  onReply(match: Match, act: Act = doNothing, options?: TrapOptions): Trap {
    return add(this.#traps.reply, new Trap(match, act, options))
  }

  /** Has a request done by the server and its reply lost: the connection breaks in the moment of the reply. */
  loseReplyTo(match: Match, options?: TrapOptions): Trap {
    return this.onReply(match, cut, options)
  }

  /** Lets everything pass again that can: ends stalls, delays, swallowing, refusal, and traps that have not acted. */
  async heal(): Promise<void> {
    this.#traps.request.clear()
    this.#traps.reply.clear()
    this.delay(0)
    this.deliverReplies()
    for (const valve of this.#chosen('both')) valve.cutAfter(Infinity)
    this.resume()
    await this.accept()
  }

  /** Ends the proxy and every connection through it. */
  async close(): Promise<void> {
    this.refuse()
    const all = this.connections
    this.cut()
    this.resume() // so that nothing waits for ever
    await Promise.all(all.map((connection) => connection.closed))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #serve(client: Socket): void {
    const rules: Rules = {
      ...this.#valves,
      onRequest: (passing) => meetAll(this.#traps.request, passing),
      onReply: async (passing) => {
        if (!REDIRECTION.test(passing.reply ?? '')) await meetAll(this.#traps.reply, passing)
      },
    }
    const connection = new ProxiedConnection(client, this.target, rules)
    this.#connections.add(connection)
    void connection.closed.then(() => this.#connections.delete(connection))
  }

  #chosen(direction: Direction): Valve[] {
    return directions(direction).map((name) => this.#valves[name])
  }
}

function directions(direction: Direction): ('requests' | 'replies')[] {
  return direction === 'both' ? ['requests', 'replies'] : [direction]
}

async function meetAll(traps: ReadonlySet<Trap>, passing: Passing): Promise<void> {
  for (const trap of traps) await trap.meet(passing)
}

function add<T>(set: Set<T>, item: T): T {
  set.add(item)
  return item
}

function cut(passing: Passing): void {
  passing.cut()
}

function doNothing(): void {}
