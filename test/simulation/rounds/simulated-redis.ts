import type { KeyReader } from '../../../chaos/random-use/player/raw.js'
import { wordsOfKey } from './words-of-key.js'
import { Server } from '../server/server.js'
import type { Change, KnownReplica, ReplicaState } from '../server/replication.js'
import type { Session } from '../server/session.js'
import type { Reply } from '../server/reply.js'
import type { EventLoop } from '../world/event-loop.js'
import type { Listener } from '../world/network/server.js'
import { real } from '../world/real.js'
import type { World } from '../world/world.js'

/** How long a change is on its way to a replica, and its confirmation back. */
const REPLICATION_MS = 0.5

export interface RedisOptions {
  /** What scripts are called in the trace, by their hashes. */
  readonly scriptNames: ReadonlyMap<string, string>
  /**
   * How far its clock is ahead of true time.
   *
   * @defaultValue 0
   */
  readonly skewMs?: number
  /**
   * The database of {@link SimulatedRedis.command}.
   *
   * @defaultValue 0
   */
  readonly database?: number
  /** Is called after each command of a connection. */
  readonly onCommand?: () => void
}

/** A server in a simulated world. */
export class SimulatedRedis {
  /** The port of every server. */
  static readonly PORT = 6379
  readonly host: string
  readonly server: Server
  /** A connection that takes no time and that nothing disturbs. */
  readonly #direct: Session
  readonly #loop: EventLoop
  readonly #world: World
  /** What is told to replicas. */
  readonly #listeners: ((change: Change) => void)[] = []

  constructor(world: World, host: string, options: RedisOptions) {
    const { scriptNames, skewMs = 0, database = 0, onCommand } = options
    this.host = host
    this.#world = world
    const listener: Listener = {
      accept: (peer) => {
        const session = this.server.connect(peer)
        peer.onData((bytes) => {
          this.server.receive(session, bytes)
        })
        peer.onClose(() => {
          this.server.disconnect(session)
        })
      },
      describe: (words) => describeCommand(words, scriptNames),
    }
    const loop = world.listen(this.address, listener, { skewMs })
    this.#loop = loop
    const draws = world.chance.fork(`draws of ${host}`)
    this.server = new Server({
      now: () => loop.time.wallAt(world.clock.now),
      draw: (count) => draws.whole(count),
      after: (ms, run) => {
        const at = world.clock.now + ms
        const event = world.clock.schedule({ at, loop, kind: 'timer', what: `timeout at ${host}`, run })
        return () => world.clock.cancel(event)
      },
      ...(onCommand && { onCommand }),
    })
    this.#direct = this.server.connect({ write: () => undefined, close: () => undefined })
    this.command('SELECT', database)
  }

  get address(): string {
    return `${this.host}:${String(SimulatedRedis.PORT)}`
  }

  /** Runs a command at once, whatever keeps the server from its work. */
  command(...words: readonly (string | number)[]): Reply {
    const { trouble } = this.server
    this.server.trouble = undefined
    try {
      return this.server.execute(this.#direct, words.map(String))
    } finally {
      this.server.trouble = trouble
    }
  }

  /**
   * Has another server replicate this one from now on. It has what it had before, until it has synchronized.
   *
   * @param syncMs - how long that takes
   */
  addReplica(other: SimulatedRedis, syncMs = 0): void {
    const { clock } = this.#world
    const { server } = other
    server.replica = { masterHost: this.host, masterPort: SimulatedRedis.PORT, isUp: false }
    const known: KnownReplica = { host: other.host, port: SimulatedRedis.PORT, offset: 0 }
    const inReplica = (delayMs: number, run: () => void) =>
      clock.schedule({ at: clock.now + delayMs, loop: other.#loop, kind: 'message', what: 'replicate', run })
    const confirm = (offset: number) =>
      clock.schedule({
        at: clock.now + REPLICATION_MS,
        loop: this.#loop,
        kind: 'message',
        what: 'confirm',
        run: () => this.server.confirmed(known, offset),
      })
    inReplica(syncMs, () => {
      for (const database of server.databases) database.clear()
      for (const database of this.server.databases)
        for (const key of database.keys)
          server.replicate({
            offset: 0,
            keys: [{ database: database.index, key, entry: database.copyOf(key) }],
          })
      ;(server.replica as ReplicaState).isUp = true
      this.server.replicas.push(known)
      confirm(this.server.offset)
      this.#listeners.push((change) => {
        inReplica(REPLICATION_MS, () => {
          server.replicate(change)
          confirm(change.offset)
        })
      })
    })
    this.server.onChange ??= (change) => {
      for (const listener of this.#listeners) listener(change)
    }
  }

  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void {
    this.#loop.time.step(ms)
  }

  /** Reads keys at once. */
  get reader(): KeyReader {
    return {
      hgetall: (key) => Promise.resolve(recordOf(this.command('HGETALL', key) as string[])),
      zscore: (key, member) =>
        Promise.resolve(this.command('ZSCORE', key, member.toString('latin1')) as string | null),
      now: () => this.server.now,
      remainsOf: (clientIds) => Promise.resolve(this.#remainsOf(clientIds)),
      disconnect: () => undefined,
    }
  }

  #remainsOf(clientIds: readonly string[]): string[] {
    const keys = this.command('KEYS', '*') as string[]
    return keys.filter((key) =>
      [key, ...wordsOfKey(this, key)].some((word) => clientIds.some((id) => word.includes(id))),
    )
  }
}

function recordOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.flatMap((field, n) => (n % 2 === 0 ? [[field, words[n + 1] ?? '']] : [])))
}

/** A command as people read it: scripts by their names. */
function describeCommand(words: readonly string[], scriptNames: ReadonlyMap<string, string>): string {
  const [name = '', script = '', ...rest] = words
  if (!/^eval/i.test(name)) return words.join(' ')
  const sha = /^evalsha/i.test(name) ? script : real.createHash('sha1').update(script, 'latin1').digest('hex')
  return [name, scriptNames.get(sha) ?? sha.slice(0, 8), ...rest].join(' ')
}
