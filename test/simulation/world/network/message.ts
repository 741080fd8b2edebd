import { wordsOf } from './frames.js'

/** Which connection something happens on. */
export interface Route {
  /** The process that has connected. */
  readonly host: string
  /** The server, as `host:port`. */
  readonly address: string
  /** The connections of a simulation are numbered from 1. */
  readonly connection: number
}

/** One command on its way to a server, or what a server writes at once. */
export class Message {
  readonly kind: 'command' | 'reply'
  readonly route: Route
  readonly bytes: string
  /** What a reply replies to; undefined for what the server says while it runs no command of this connection. */
  readonly command: Message | undefined
  #words: readonly string[] | undefined

  constructor(kind: 'command' | 'reply', route: Route, bytes: string, command?: Message) {
    this.kind = kind
    this.route = route
    this.bytes = bytes
    this.command = command
  }

  /** Of a command: its name and arguments. */
  get words(): readonly string[] {
    return (this.#words ??= wordsOf(this.bytes))
  }

  /** The name of the command, or of the one that is replied to, in upper case; '' for what replies to none. */
  get name(): string {
    const command = this.kind === 'command' ? this : this.command
    return command?.words[0]?.toUpperCase() ?? ''
  }
}

/**
 * What becomes of a message.
 *
 * - `deliver`: it arrives.
 * - `cut-before`: it is lost, and the connection breaks.
 * - `cut-within`: half of it arrives, and the connection breaks.
 * - `cut-after`: it arrives, and the connection breaks: the reply to a command is lost.
 * - `lose`: it is lost silently, and all that follows in its direction.
 * - `delayMs`: it arrives later, and so does all that follows in its direction.
 */
export type Fate =
  'deliver' | 'cut-before' | 'cut-within' | 'cut-after' | 'lose' | { readonly delayMs: number }

/** What becomes of an attempt to connect: the server takes it, refuses it, or never replies. */
export type ConnectFate = 'accept' | 'refuse' | 'hang'

/** Sees every message, and may decide what becomes of it. One that returns nothing leaves that to the next one, and in the end to chance. */
export interface Interceptor {
  /** A process has asked to connect. */
  readonly connecting?: (route: Route) => ConnectFate | void
  /** A command is at the server, which has not seen it yet. */
  readonly request?: (command: Message) => Fate | void
  /** The server has run a command: the moment for an oracle. */
  readonly handled?: (command: Message) => void
  /** A server has written something, which has not left yet. */
  readonly reply?: (reply: Message) => Fate | void
}
