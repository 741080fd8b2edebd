import { connect, type Socket } from 'node:net'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { Conversation } from './conversation.js'
import { wordsOf } from './frames.js'
import { Lane } from './lane.js'
import type { Passing } from './trap.js'
import type { Valve } from './valve.js'

/** What the proxy has set for all its connections. */
export interface Rules {
  readonly requests: Valve
  readonly replies: Valve
  /** Called before a request passes. */
  onRequest(passing: Passing): Promise<void>
  /** Called before a reply passes. */
  onReply(passing: Passing): Promise<void>
}

/** One connection of a client, and its counterpart to the server. */
export class ProxiedConnection {
  /** Resolves when both sides are closed. */
  readonly closed: Promise<unknown>
  /** The server that it leads to. */
  readonly target: HostAndPort
  readonly #client: Socket
  readonly #server: Socket
  readonly #requests: Lane
  readonly #replies: Lane
  readonly #rules: Rules
  readonly #conversation = new Conversation()

  constructor(client: Socket, target: HostAndPort, rules: Rules) {
    const server = connect({ ...target, allowHalfOpen: true, noDelay: true })
    this.target = target
    this.#client = client
    this.#server = server
    this.#rules = rules
    this.#requests = new Lane(rules.requests, {
      frame: (bytes) => this.#passRequest(bytes),
      end: () => server.end(),
      reset: () => {
        reset(server)
      },
    })
    this.#replies = new Lane(rules.replies, {
      frame: (bytes) => this.#passReply(bytes),
      end: () => client.end(),
      reset: () => {
        reset(client)
      },
    })
    this.closed = Promise.all([listen(client, this.#requests), listen(server, this.#replies)])
  }

  /** Whether the client has asked for messages here. */
  get subscribed(): boolean {
    return this.#conversation.subscribed
  }

  /** Whether something is held back, in either direction. */
  get holds(): boolean {
    return this.#requests.holds || this.#replies.holds
  }

  /** Whether something has vanished, or will: nothing more gets through in that direction. */
  get silent(): boolean {
    return this.#requests.silent || this.#replies.silent
  }

  /** Sends bytes to the client that the server has not sent. */
  say(bytes: string): void {
    this.#client.write(bytes, 'latin1')
  }

  /** Breaks the connection at once, on both sides. */
  cut(): void {
    reset(this.#client)
    reset(this.#server)
  }

  /** Lets everything vanish from now on, in both directions, while the connection stays up. Only its end still passes. */
  freeze(): void {
    this.#requests.silence()
    this.#replies.silence()
  }

  /** Lets everything vanish that is held back. */
  drop(direction: 'requests' | 'replies'): void {
    const lane = direction === 'requests' ? this.#requests : this.#replies
    lane.drop()
  }

  async #passRequest(bytes: Buffer): Promise<void> {
    let refusal: string | undefined
    const refuse = (words: string) => {
      refusal = words
    }
    await this.#rules.onRequest({ ...this.#passing(this.#requests, wordsOf(bytes).join(' ')), refuse })
    if (this.#requests.swallows() || this.#server.destroyed) return
    if (refusal !== undefined) await this.#conversation.answered()
    this.#conversation.asked(bytes)
    if (refusal === undefined) this.#write(this.#server, this.#rules.requests.part(bytes), bytes)
    else this.#replies.insert(Buffer.from(`-${refusal}\r\n`))
  }

  async #passReply(bytes: Buffer): Promise<void> {
    const request = this.#conversation.heard(bytes)
    if (request !== undefined) {
      await this.#rules.onReply(this.#passing(this.#replies, request, bytes.toString()))
    }
    if (this.#replies.swallows() || this.#client.destroyed) return
    this.#write(this.#client, this.#rules.replies.part(bytes), bytes)
  }

  /** Writes what passes of a frame. Breaks the connection behind that, if it is not all. */
  #write(socket: Socket, passing: Buffer, frame: Buffer): void {
    if (passing.length === frame.length) socket.write(passing)
    else
      socket.end(passing, () => {
        this.cut()
      })
  }

  #passing(lane: Lane, request: string, reply?: string): Passing {
    return {
      connection: this,
      request,
      reply,
      refuse: () => {
        throw new Error('A reply cannot be refused')
      },
      cut: () => {
        this.cut()
      },
      swallow: () => {
        lane.silence()
      },
      freeze: () => {
        this.freeze()
      },
    }
  }
}

/** Ends a socket with a reset. One that is saying goodbye already cannot be reset: Node would never close it then. */
function reset(socket: Socket): void {
  if (socket.writable) socket.resetAndDestroy()
  else socket.destroy()
}

/** Puts what a socket says on a lane; resolves when the socket is closed. */
function listen(socket: Socket, lane: Lane): Promise<void> {
  socket.on('data', (bytes) => {
    lane.bytes(bytes)
  })
  socket.on('end', () => {
    lane.end()
  })
  socket.on('error', () => {
    lane.reset()
  })
  return new Promise((resolve) => {
    socket.on('close', () => {
      resolve()
    })
  })
}
