import type { Database } from '../database.js'
import type { Bytes, Reply } from '../reply.js'
import type { Server } from '../server.js'
import type { Session } from '../session.js'

/** Where a command runs. */
export interface Context {
  readonly server: Server
  /** The connection that has sent it, or that has run the script which calls it. */
  readonly session: Session
  /** The database that the connection, or the script, has selected. */
  readonly database: Database
  /** Sends a keyspace notification. The class is one of the letters of `notify-keyspace-events`. */
  readonly notify: (kind: string, event: Bytes, key: Bytes) => void
}

/**
 * What a command does, so that a server in trouble knows what to refuse: `read` changes nothing, `write` changes something and needs no
 * memory, `grow` needs memory, and `control` is about the connection or the server.
 */
export type Effect = 'read' | 'write' | 'grow' | 'control'

export interface Command {
  readonly name: Bytes
  /** How many words it has with its name. A negative number is a minimum, as in `COMMAND INFO`. */
  readonly arity: number
  readonly effect: Effect
  /** Runs it with the words after its name. */
  readonly run: (context: Context, args: readonly Bytes[]) => Reply
}

export function command(name: Bytes, arity: number, effect: Effect, run: Command['run']): Command {
  return { name, arity, effect, run }
}

/** A word that is there because of the arity. */
export function word(args: readonly Bytes[], at: number): Bytes {
  return args[at] ?? ''
}

/** Words in pairs. */
export function pairsOf(args: readonly Bytes[]): [Bytes, Bytes][] {
  return Array.from({ length: Math.floor(args.length / 2) }, (_, n) => [
    word(args, 2 * n),
    word(args, 2 * n + 1),
  ])
}
