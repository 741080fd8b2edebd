import { connect, type Server, type Socket } from 'node:net'
import type { HostAndPort } from '../../src/api/redisson-options.js'
import { listenAt, onFreePorts } from './launch/free-ports.js'
import { LOOPBACK } from './launch/server-plans.js'

/** No more than this passes in one go. */
const PIECE_BYTES = 16 * 1024

/** Opens a link to a server, over which bytes pass at once until a test says otherwise. */
export async function startLink(target: HostAndPort): Promise<Link> {
  return onFreePorts(1, async ([port = 0]) => {
    const link = new Link(target, port)
    await link.listen()
    return link
  })
}

/** A link to one server that is narrow: it passes bytes, and knows nothing of requests and replies. */
export class Link implements HostAndPort, AsyncDisposable {
  readonly host = LOOPBACK
  readonly port: number
  /** The connections that came about, oldest first. */
  readonly connections: LinkedConnection[] = []
  /** How many bytes a second pass in each direction of a connection that comes about later. */
  bytesPerSecond = Infinity
  readonly #target: HostAndPort
  #server: Server | undefined

  constructor({ host, port }: HostAndPort, ownPort: number) {
    this.#target = { host, port }
    this.port = ownPort
  }

  async listen(): Promise<void> {
    this.#server = await listenAt(this.port, (client) => {
      this.connections.push(new LinkedConnection(client, this.#target, this.bytesPerSecond))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.connections) connection.cut()
    await new Promise((resolve) => this.#server?.close(resolve))
  }
}

/** One connection over a link. */
export class LinkedConnection {
  /** What the client sends. */
  readonly up: Way
  /** What the server sends. */
  readonly down: Way
  readonly #client: Socket
  readonly #server: Socket

  constructor(client: Socket, target: HostAndPort, bytesPerSecond: number) {
    const server = connect({ ...target, allowHalfOpen: true, noDelay: true })
    this.#client = client
    this.#server = server
    this.up = new Way(client, server, bytesPerSecond)
    this.down = new Way(server, client, bytesPerSecond)
    const end = (): void => {
      this.cut()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  }

  cut(): void {
    this.#client.destroy()
    this.#server.destroy()
  }
}

/** One direction of a connection. */
export class Way {
  /** How many bytes have passed. */
  passed = 0
  #allowed = Infinity
  #changed = Promise.withResolvers<undefined>()
  readonly #bytesPerSecond: number

  constructor(from: Socket, to: Socket, bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
    void this.#pass(from, to).catch(() => undefined) // one side is gone
  }

  /** Lets only so many bytes more pass, and holds back all others. What is held back fills the buffers of the sender. */
  passOnly(bytes: number): void {
    this.#allow(this.passed + bytes)
  }

  /** Lets all pass again. */
  passAll(): void {
    this.#allow(Infinity)
  }

  #allow(bytes: number): void {
    this.#allowed = bytes
    this.#changed.resolve(undefined)
    this.#changed = Promise.withResolvers()
  }

  async #pass(from: Socket, to: Socket): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let rest = chunk; rest.length > 0;) {
        while (this.passed >= this.#allowed) await this.#changed.promise
        const piece = rest.subarray(0, Math.min(this.#allowed - this.passed, PIECE_BYTES))
        rest = rest.subarray(piece.length)
        this.passed += piece.length
        if (this.#bytesPerSecond !== Infinity) await elapsed(piece.length / this.#bytesPerSecond)
        if (!to.write(piece)) await drained(to)
      }
    }
    to.end()
  }
}

function elapsed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

function drained(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
}
