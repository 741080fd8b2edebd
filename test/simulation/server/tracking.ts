import { streamsOf } from './keys-of.js'
import type { Bytes } from './reply.js'
import { written } from './resp.js'
import type { Session } from './session.js'

/** The channel of invalidation messages for connections that use RESP2. */
const INVALIDATIONS = '__redis__:invalidate'

/** What an invalidation message names: one key, or all keys. */
type Invalidated = readonly [key: Bytes] | null

/** Client-side caching: connections with `CLIENT TRACKING` get a message when a key changes that they have read. */
export class Tracking {
  /** The connections that have read a key since it last changed. */
  readonly #readers = new Map<Bytes, Set<Session>>()
  readonly #sessions: Iterable<Session>
  #pending: [reader: Session, Invalidated][] = []
  /** The connection whose command runs. */
  #current: Session | undefined

  /** @param sessions - all open connections */
  constructor(sessions: Iterable<Session>) {
    this.#sessions = sessions
  }

  /** A connection has read keys. */
  read(session: Session, keys: readonly Bytes[]): void {
    if (!session.tracking) return
    for (const key of keys) this.#readersOf(key).add(session)
  }

  /** A key has changed. Its readers have to read it again to get a message about the next change. */
  changed(key: Bytes): void {
    const readers = this.#readers.get(key) ?? []
    this.#readers.delete(key)
    for (const reader of readers) this.#invalidate(reader, [key])
  }

  /** A database was emptied. */
  flushed(): void {
    this.#readers.clear()
    for (const session of this.#sessions) this.#invalidate(session, null)
  }

  /** The command of a connection begins. Messages to this connection are sent after its reply. */
  begin(session: Session): void {
    this.#current = session
  }

  /** The command has its reply. */
  end(): void {
    this.#current = undefined
    for (const [reader, invalidated] of this.#pending.splice(0)) this.#send(reader, invalidated)
  }

  #readersOf(key: Bytes): Set<Session> {
    const readers = this.#readers.get(key) ?? new Set()
    this.#readers.set(key, readers)
    return readers
  }

  #invalidate(reader: Session, invalidated: Invalidated): void {
    if (reader.isClosed || !reader.tracking) return
    if (reader === this.#current) this.#pending.push([reader, invalidated])
    else this.#send(reader, invalidated)
  }

  /** RESP2 has no message for the connection itself: only one that it redirects to can get it, and only while it is subscribed. */
  #send({ tracking }: Session, invalidated: Invalidated): void {
    const target = [...this.#sessions].find(({ id }) => id === tracking?.redirect)
    if (target?.isListening) target.send(written(['message', INVALIDATIONS, invalidated]))
  }
}

/** Commands that only read, and name no key. */
const WITHOUT_KEYS: ReadonlySet<Bytes> = new Set(['keys', 'scan', 'randomkey', 'dbsize', 'time', 'pubsub'])

/** Commands all of whose words are keys. */
const OF_KEYS: ReadonlySet<Bytes> = new Set(['exists', 'touch', 'mget'])

/** The keys that a command reads. */
export function keysRead(name: Bytes, args: readonly Bytes[]): readonly Bytes[] {
  if (WITHOUT_KEYS.has(name)) return []
  if (OF_KEYS.has(name)) return args
  if (/^(object|memory|xinfo.*)$/.test(name)) return args.slice(1, 2)
  if (name === 'xread') return streamsOf(args)
  return args.slice(0, name === 'lcs' ? 2 : 1)
}
