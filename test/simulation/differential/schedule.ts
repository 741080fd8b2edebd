import { sha1 } from '../server/lua/library/redis.js'
import { Refusal, type Bytes, type Reply } from '../server/reply.js'
import type { RecordedExpiry, RecordedRequest, Recording } from './recording.js'
import type { Step, Streams } from './replay.js'
import { ReplyReader } from './resp.js'
import { commandAt, scriptAt } from './virtual-time.js'

/** What a simulated server has served, to be replayed at a real one. */
export interface Schedule {
  readonly steps: readonly Step[]
  /** What the simulated server has sent. */
  readonly sent: Streams
  /** Which replies are not compared, for each connection. */
  readonly ignored: ReadonlyMap<number, ReadonlySet<number>>
}

/** Requests for facts about the server or the connection. `PING` is sent instead, and the replies are not compared. */
const ABOUT_THE_SERVER = /^(hello|info|config|role|client (?!tracking)\w+)\b/i

/** The connection that removes keys when they expire. */
const EXPIRING = 0

/** Removes a key of a database. */
const REMOVE = "redis.call('select', ARGV[1]) return redis.call('del', KEYS[1])"

/** Translates a recording to what a real server is sent, where keys expire only when they did in the recording. */
export function scheduleOf({ events, sent }: Recording): Schedule {
  const scripts = new Scripts()
  const streams = new Map(Object.entries(sent).map(([id, bytes]) => [Number(id), new Stream(bytes)]))
  const expired: Reply[] = []
  const ignored = new Map<number, Set<number>>()
  const ranAt = timesOfQueued(events)
  const steps = events.map((event): Step => {
    if ('expired' in event) return removal(event, expired.push(1))
    const { connection, words, sentBytes } = event
    const received = streams.get(connection)?.countAt(sentBytes) ?? 0
    const now = ranAt.get(event) ?? event.now
    if (!ABOUT_THE_SERVER.test(words.join(' ')))
      return { connection, words: scripts.translated({ ...event, now }), received }
    ignored.set(connection, (ignored.get(connection) ?? new Set()).add(received - 1))
    return { connection, words: ['PING'], received }
  })
  const replies = [...streams].map(([id, stream]) => [id, stream.replies] as const)
  return { steps, sent: new Map([...replies, [EXPIRING, expired]]), ignored }
}

/** When the requests ran that were queued in a transaction: that is when it was executed. */
function timesOfQueued(events: Recording['events']): ReadonlyMap<RecordedRequest, number> {
  const queued = new Map<number, RecordedRequest[]>()
  const times = new Map<RecordedRequest, number>()
  for (const event of events) {
    if ('expired' in event) continue
    const { connection, now } = event
    const name = event.words[0]?.toLowerCase()
    const open = queued.get(connection)
    if (name === 'multi') queued.set(connection, [])
    else open?.push(event)
    if (name === 'exec') for (const each of open ?? []) times.set(each, now)
    if (name === 'exec' || name === 'discard' || name === 'reset') queued.delete(connection)
  }
  return times
}

/** Removes an expired key. The real server has to have it, too. */
function removal({ expired, database }: RecordedExpiry, received: number): Step {
  return { connection: EXPIRING, words: ['EVAL', REMOVE, '1', expired, String(database)], received }
}

/** A reply without what differs between a script and the one that stands for it: its hash, and the line of an error. */
export function withoutScript(reply: Reply): Reply {
  if (reply instanceof Refusal)
    return new Refusal(reply.text.replace(/ script: [0-9a-f]{40}, on @user_script:\d+\.$/, ''))
  return Array.isArray(reply) ? reply.map(withoutScript) : reply
}

/** The scripts that the server knows by their hashes. */
class Scripts {
  readonly #sources = new Map<Bytes, Bytes>()

  /** What a real server is sent for a request. */
  translated({ words, now }: RecordedRequest): readonly Bytes[] {
    const [name = '', script = '', ...rest] = words
    if (/^eval(_ro)?$/i.test(name)) {
      this.#sources.set(sha1(script), script)
      return [name, scriptAt(now, script), ...rest]
    }
    if (/^evalsha(_ro)?$/i.test(name)) {
      const source = this.#sources.get(script)
      return source === undefined ? words : [name.replace(/sha/i, ''), scriptAt(now, source), ...rest]
    }
    if (/^script$/i.test(name) && /^load$/i.test(script))
      for (const source of rest) this.#sources.set(sha1(source), source)
    return commandAt(now, words)
  }
}

/** What a connection was sent. */
class Stream {
  readonly replies: readonly Reply[]
  readonly #bytes: Bytes
  readonly #reader = new ReplyReader()
  #read = 0
  #count = 0

  constructor(bytes: Bytes) {
    this.#bytes = bytes
    this.replies = new ReplyReader().read(bytes)
  }

  /** How many replies and messages are in the first bytes, of which there are more each time. */
  countAt(bytes: number): number {
    this.#count += this.#reader.read(this.#bytes.slice(this.#read, bytes)).length
    this.#read = bytes
    return this.#count
  }
}
