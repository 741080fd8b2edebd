import type { Database } from './database.js'
import type { Bytes } from './reply.js'

/** A user, and what it may do. */
export interface User {
  readonly name: Bytes
  readonly password?: Bytes
  /** Whether it may call a command, by its name in lower case: `get`, or `client` and then `client|setname`. */
  readonly may: (command: Bytes) => boolean
  /** Whether it may publish to a channel, and listen to it. */
  readonly mayHear: (channel: Bytes) => boolean
}

/** How a connection listens: to a channel, to all channels of a pattern, or to a channel of a slot. */
export type ChannelKind = 'channel' | 'pattern' | 'shard'

/** What a connection has asked for since `MULTI`. */
export interface Transaction {
  readonly commands: (readonly Bytes[])[]
  /** Whether one of them was refused. */
  isRefused: boolean
}

/** What a server knows of a connection. */
export class Session {
  readonly id: number
  readonly #write: (bytes: Bytes) => void
  readonly #close: () => void
  readonly channels: Readonly<Record<ChannelKind, Set<Bytes>>> = {
    channel: new Set(),
    pattern: new Set(),
    shard: new Set(),
  }
  name: Bytes = ''
  user: User | undefined
  database: Database
  transaction: Transaction | undefined
  /** Where messages about changed keys go, if `CLIENT TRACKING` is on: to the connection with an id, or nowhere. */
  tracking: { readonly redirect: number | undefined } | undefined
  /** Whether it has said `ASKING`, for its next command. */
  isAsking = false
  /** Whether it reads at a replica in a cluster. */
  isReadOnly = false
  /** How much its server had written after its last command, for all clients: what `WAIT` waits for. */
  writtenAt = 0
  /** What it has sent while it waits for replicas. */
  readonly later: (readonly Bytes[])[] = []
  isClosed = false

  constructor(id: number, database: Database, link: { write(bytes: Bytes): void; close(): void }) {
    this.id = id
    this.database = database
    this.#write = (bytes) => link.write(bytes)
    this.#close = () => link.close()
  }

  /** Whether it may do nothing but listen, as in RESP2. */
  get isListening(): boolean {
    return Object.values(this.channels).some(({ size }) => size > 0)
  }

  send(bytes: Bytes): void {
    if (!this.isClosed) this.#write(bytes)
  }

  /** Ends the connection from the server's side. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#close()
  }
}
