import type { EventLoop } from '../event-loop.js'
import type { Connection } from './connection.js'

/** A server, as the network knows it. Byte strings have one latin1 character for each byte. */
export interface Listener {
  /** A client has connected. */
  accept(peer: ServerSide): void
  /** How the trace names a command, whose script is a hash. */
  readonly describe?: (words: readonly string[]) => string
}

/** The server's side of one connection. */
export interface ServerSide {
  /** The address of the client. */
  readonly address: string
  /** The name of the process that has connected. */
  readonly host: string
  /** Called with one whole command at a time, or with half of one before a connection breaks. */
  onData(handler: (bytes: string) => void): void
  /** Called when the client has closed the connection, or when it broke. Nothing arrives any more, and what is written is lost. */
  onClose(handler: () => void): void
  /** Writes one reply, or one message, whole. */
  write(bytes: string): void
  /** Closes the connection once what was written has arrived. */
  close(): void
}

/** A server that listens at an address. */
export class ListeningServer {
  readonly address: string
  readonly listener: Listener
  /** What the server runs in: it may stand still while the system accepts connections for it. */
  readonly loop: EventLoop
  readonly connections = new Set<Connection>()
  /** Whether nothing listens at the address. */
  isAway = false

  constructor(address: string, listener: Listener, loop: EventLoop) {
    this.address = address
    this.listener = listener
    this.loop = loop
  }
}
