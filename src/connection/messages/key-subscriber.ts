import type { Redis } from 'ioredis'
import { warnOnce } from '../../util/warn-once.js'
import { isForOneKey, neededFor } from '../../errors/missing-right.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { ChannelRequests, type ListeningConfig, type Requested } from './channel-requests.js'
import type { Channel, ChannelKind, SubscriberListener } from '../connection.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { isReply, translateReply } from '../login/ioredis-errors.js'
import { INVALIDATIONS, KeyTracking } from './key-tracking.js'
import type { NodeSubscriber } from './node-subscriber.js'

/** Connections with no key to listen for are closed after this time, in milliseconds. */
const IDLE_MS = 60_000

/** The message of a channel that stands for a key. */
const CHANGE = Buffer.alloc(0)

/** The replies of a server without `CLIENT TRACKING`, or to a user without the right to it. `NOAUTH`, for a refused login, is another case. */
const UNTRACKABLE = /^(?:NOPERM|ERR unknown (?:sub)?command) ?/i

/**
 * Listens for changes of keys at one node. A channel stands for the key of its name: a change is an empty message, and interrupts the channel until the
 * key is tracked again.
 */
export class KeySubscriber implements NodeSubscriber {
  readonly #open: () => Redis
  readonly #kind: ChannelKind
  readonly #config: ListeningConfig
  readonly #requests: ChannelRequests
  readonly #listener: SubscriberListener
  #tracking: KeyTracking | undefined
  #idle: NodeJS.Timeout | undefined
  /** The keys that are being read, and whether to read them once more. New connections get a new map. */
  #reading = new Map<string, 'once' | 'again'>()

  /**
   * @param open - makes a connection for a {@link KeyTracking}
   * @param kind - the kind of the channels that stand for keys
   */
  constructor(open: () => Redis, kind: ChannelKind, config: ListeningConfig, listener: SubscriberListener) {
    this.#open = open
    this.#kind = kind
    this.#config = config
    this.#listener = listener
    this.#requests = new ChannelRequests(config, listener, this)
  }

  get isReady(): boolean {
    return this.#tracking?.isReady === true
  }

  subscribe(channel: Channel): void {
    if (this.#requests.get(channel) !== undefined) return
    clearTimeout(this.#idle)
    this.#tracking ??= this.#begin()
    this.#requests.add(channel)
  }

  /** Stops listening for a key. Redis tracks it until its next change, which is not passed on. */
  unsubscribe(channel: Channel): void {
    if (!this.#requests.delete(channel) || !this.#requests.isEmpty) return
    this.#idle = withoutAsyncContext(() => setTimeout(() => void this.close(), IDLE_MS).unref())
  }

  refusalOf(channel: Channel): Error | undefined {
    return this.#requests.get(channel)?.refusal
  }

  follow(address: string): void {
    this.#tracking?.follow(address)
  }

  /** Closes the connections. They are made anew when there is a key to listen for. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#requests.clear()
    this.#reading = new Map()
    const tracking = this.#tracking
    this.#tracking = undefined
    await tracking?.close()
  }

  ask(requested: Requested): void {
    if (this.#tracking !== undefined) void this.#track(requested, this.#tracking)
  }

  errorOf(reply: Error, { name }: Channel): Error {
    const needs = neededFor(reply, { keys: [name], commands: [], channels: [INVALIDATIONS] })
    return translateReply(reply, 'client tracking', this.#tracking?.address ?? 'the node', needs)
  }

  #begin(): KeyTracking {
    return new KeyTracking(this.#open, this.#config, {
      ready: () => {
        this.#requests.beginAll()
      },
      interrupted: () => {
        this.#reading = new Map()
        this.#requests.interruptAll()
      },
      changed: (name) => {
        const requested = this.#requests.get({ kind: this.#kind, name })
        if (requested === undefined) return
        this.#listener.message(requested.channel, CHANGE, name)
        this.#trackAnew(requested)
      },
      allChanged: () => {
        for (const requested of this.#requests) this.#trackAnew(requested)
      },
    })
  }

  /** Reports that a key has changed, and tracks it again, unless nothing listens any more. */
  #trackAnew(requested: Requested): void {
    this.#requests.interrupt(requested)
    if (this.#requests.get(requested.channel) === requested) this.#requests.begin(requested)
  }

  /**
   * Tracks a key, and confirms its channel.
   *
   * Replies and changes travel over two connections. A change that is reported while the key is read may have come after the read. Then the
   * key is no longer tracked, so it is read once more.
   */
  async #track({ channel }: Requested, tracking: KeyTracking): Promise<void> {
    const reading = this.#reading
    const { name } = channel
    if (reading.has(name)) {
      reading.set(name, 'again')
      return
    }
    reading.set(name, 'once')
    const failure = await failureOf(tracking.track(name))
    if (this.#reading !== reading) return // over connections that are gone
    const again = reading.get(name) === 'again'
    reading.delete(name)
    const requested = this.#requests.get(channel) // another one, if it was requested anew meanwhile
    if (requested === undefined) return
    if (isReply(failure) && UNTRACKABLE.test(failure.message)) {
      this.#doWithout(requested, tracking, failure)
      return
    }
    if (isReply(failure)) {
      this.#requests.refuse(requested, failure)
      this.#requests.interrupt(requested) // what need not wait for another attempt learns of it
    }
    if (failure !== undefined) return // a connection that broke comes back
    this.#requests.confirm(requested)
    if (again) this.#trackAnew(requested)
  }

  /**
   * Confirms a key without tracking it, and so interrupts it. Callers that wait for the key check it periodically anyway. One key that the user may not
   * read is none of the others' concern, and is refused to its readers.
   */
  #doWithout(requested: Requested, { address }: KeyTracking, reply: Error): void {
    const words =
      `Redis at ${address} does not tell this client of keys that have changed (${reply.message}): calls that wait for an element look for it ` +
      'every five seconds, and client-side caching keeps nothing. ' +
      'The user needs `+client|id +client|tracking +pubsub|numsub` and the channels `&__redis__:invalidate &redisson_*`'
    if (!isForOneKey(reply)) warnOnce('REDISSON_NO_KEY_TRACKING', address, words)
    this.#requests.confirm(requested)
    requested.refusal = this.errorOf(withoutSecrets(reply), requested.channel)
    this.#requests.interrupt(requested)
  }
}

async function failureOf(tracked: Promise<void>): Promise<unknown> {
  try {
    await tracked
    return undefined
  } catch (error) {
    return error
  }
}
