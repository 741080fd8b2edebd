import type { Database } from '../server/database.js'
import type { Bytes } from '../server/reply.js'
import { Server, type Monitor } from '../server/server.js'
import type { Session } from '../server/session.js'

/** All that has happened at one server. It is plain data. */
export interface Recording {
  readonly events: (RecordedRequest | RecordedExpiry)[]
  /** The bytes that each connection was sent, by its id. */
  readonly sent: Record<number, Bytes>
}

/** A request of a connection. */
export interface RecordedRequest {
  readonly connection: number
  readonly words: readonly Bytes[]
  /** How many bytes the connection had been sent once the request was served. */
  readonly sentBytes: number
  /** The server's time, in milliseconds. */
  readonly now: number
}

/** A key that has expired before the next request. */
export interface RecordedExpiry {
  readonly expired: Bytes
  readonly database: number
}

/** Resets the state of a connection, as a disconnection does. */
const RESET = { words: ['RESET'], reply: '+RESET\r\n' } as const

/** Records what happens at servers. */
export class Recorder implements Monitor {
  readonly #recordings = new Map<Server, Recording>()

  /** The recordings of all servers that were used. */
  get recordings(): readonly Recording[] {
    return [...this.#recordings.values()]
  }

  sent(server: Server, { id }: Session, bytes: Bytes): void {
    const { sent } = this.#of(server)
    sent[id] = (sent[id] ?? '') + bytes
  }

  served(server: Server, { id }: Session, words: readonly Bytes[]): void {
    const { events, sent } = this.#of(server)
    events.push({ connection: id, words, sentBytes: sent[id]?.length ?? 0, now: server.now })
  }

  disconnected(server: Server, session: Session): void {
    if (this.#of(server).sent[session.id] === undefined) return
    this.sent(server, session, RESET.reply)
    this.served(server, session, RESET.words)
  }

  expired(server: Server, key: Bytes, { index }: Database): void {
    this.#of(server).events.push({ expired: key, database: index })
  }

  #of(server: Server): Recording {
    const recording = this.#recordings.get(server) ?? { events: [], sent: {} }
    this.#recordings.set(server, recording)
    return recording
  }
}
