import type { KeyReader } from '../../../chaos/random-use/player/raw.js'
import { ReplicaLink, type ReplicaOptions } from './replica-link.js'
import { wordsOfKey } from './words-of-key.js'
import { Server } from '../server/server.js'
import type { Session } from '../server/session.js'
import type { Reply } from '../server/reply.js'
import type { EventLoop } from '../world/event-loop.js'
import type { Listener } from '../world/network/server.js'
import { real } from '../world/real.js'
import type { World } from '../world/world.js'

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
  /**
   * What clients have to say before anything else.
   *
   * @defaultValue nothing
   */
  readonly password?: string
  /** How its replicas, if it has some, get what it writes. */
  readonly replication?: ReplicaOptions
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
  readonly loop: EventLoop
  readonly #world: World
  /** The ways to its replicas. */
  readonly #links = new Set<ReplicaLink>()

  constructor(world: World, host: string, options: RedisOptions) {
    const { scriptNames, skewMs = 0, database = 0, password, onCommand } = options
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
    this.loop = loop
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
    this.server.runId = inHexadecimal(world.chance.fork(`identity of ${host}`).uint32())
    this.#direct = this.server.connect({ write: () => undefined, close: () => undefined })
    this.command('SELECT', database)
    if (password !== undefined)
      this.server.addUser({ name: 'default', password, may: () => true, mayHear: () => true })
  }

  get address(): string {
    return `${this.host}:${String(SimulatedRedis.PORT)}`
  }

  /** Runs a command at once, whatever keeps the server from its work, and whatever else a node of a cluster has. */
  command(...words: readonly (string | number)[]): Reply {
    const { server } = this
    const { trouble, place } = server
    Object.assign(server, { trouble: undefined, place: undefined })
    try {
      return server.execute(this.#direct, words.map(String))
    } finally {
      Object.assign(server, { trouble, place })
    }
  }

  /** Has another server replicate this one from now on. */
  addReplica(other: SimulatedRedis, options: ReplicaOptions = {}): void {
    this.#links.add(new ReplicaLink(this.#world, this, other, options))
    this.server.onChange ??= (change) => {
      for (const link of this.#links) link.send(change)
    }
  }

  /**
   * Ends all replication from here.
   *
   * @param loses - whether what is under way is lost; otherwise it arrives at once
   */
  endReplication({ loses }: { readonly loses: boolean }): void {
    for (const link of this.#links) {
      if (!loses) link.catchUp()
      link.end()
    }
    this.#links.clear()
  }

  /** Is a master from now on. */
  promote(): void {
    this.server.replica = undefined
    const { chance, clock } = this.#world
    const drawn = chance.fork(`${this.host} is the master at ${String(clock.now)}`).uint32()
    this.server.replicationId = inHexadecimal(drawn)
  }

  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void {
    this.loop.time.step(ms)
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

function inHexadecimal(drawn: number): string {
  return drawn.toString(16).padStart(40, '0')
}

/** What a client is told of the password of a server. */
export function credentialsOf({ password }: RedisOptions): { readonly password?: string } {
  return password === undefined ? {} : { password }
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
