import type { Codec } from '../../api/codec.js'
import type { ObjectListener } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../shared/subscription.api.js'
import type {
  ReliableListener,
  ReliableListenOptions,
  ReliableSubscription,
  RReliableTopic,
  StartPosition,
} from './reliable-topic.api.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import { demandTurns } from '../../command/operation/command-executor.js'
import { demandFunction, wholeNumber } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, IN_MILLISECONDS, refuseSurplus } from '../../core/arguments/options.js'
import type { SharedServices } from '../../core/context/factories.js'
import { subscriberTimeouts } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { CodecError } from '../../errors/codec-errors.js'
import { inspectWord } from '../../util/inspect-short.js'
import { checkedReliableListening, demandSubscriber } from './listening.js'
import { size } from './reliable-topic.commands.js'
import * as scripts from './reliable-topic.scripts.js'
import { startPosition } from './start-position.js'
import { ReliableSubscribers } from './subscribers.js'
import { TopicSweeping } from './topic-sweeping.js'

/** What a reliable topic is made with. */
export interface ReliableTopicDeps<M> {
  readonly context: ObjectContext
  readonly shared: SharedServices
  readonly name: string
  readonly settings: ValueSettings<M>
}

/** A stream of Redis, with a group for each subscriber. */
export class RedissonReliableTopic<M> extends RedissonExpirable implements RReliableTopic<M> {
  static {
    refuseSurplus(this, {
      publish: 'each message is published by itself',
      addListener: ANY_NUMBER,
      removeListener: 'it removes one listener',
      removeAllListeners: 'removeListener() removes one',
      setHistory: IN_MILLISECONDS,
    })
  }

  readonly #shared: SharedServices
  readonly #codec: Codec<M>
  #isSwept = false

  constructor({ context, shared, name, settings }: ReliableTopicDeps<M>) {
    super(context, name, settings)
    this.#shared = shared
    this.#codec = settings.codec
  }

  override get codec(): Codec<M> {
    return this.#codec
  }

  async publish(message: M): Promise<number> {
    if (message === undefined) throw new TypeError('Expected a message, got undefined')
    const encoded = encodeAt(this.#codec, message, { object: this.name })
    this.#beSwept()
    return await this.ask(scripts.publish, { message: encoded }, this.#timeouts)
  }

  override addListener(
    event: string,
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
  override addListener(
    listener: ReliableListener<M>,
    options?: ReliableListenOptions,
  ): Promise<ReliableSubscription>
  override async addListener(...given: readonly unknown[]): Promise<never> {
    const [first, second, third, surplus] = given
    if (typeof first === 'string') {
      demandNoMore(surplus, 'an object has one listener for each call')
      return (await super.addListener(first, second as ObjectListener, third as ListenOptions)) as never
    }
    demandFunction(first, 'listener')
    demandNoMore(third, 'the options come after the listener')
    return (await this.#subscribe(first as ReliableListener<M>, second as ReliableListenOptions)) as never
  }

  async removeListener(listener: ReliableListener<M>): Promise<void> {
    demandFunction(listener, 'listener')
    await this.#subscribers?.remove(this.key, listener)
  }

  async removeAllListeners(): Promise<void> {
    await this.#subscribers?.remove(this.key)
  }

  countListeners(): number {
    return this.#subscribers?.count(this.key) ?? 0
  }

  async countSubscribers(): Promise<number> {
    return await this.ask(scripts.countSubscribers, {}, this.#timeouts)
  }

  async size(): Promise<number> {
    return await this.ask(size)
  }

  async seek(subscriber: string, from: StartPosition): Promise<boolean> {
    demandSubscriber(subscriber)
    return await this.ask(scripts.seek, { name: subscriber, position: startPosition(from) })
  }

  async removeSubscriber(subscriber: string): Promise<boolean> {
    demandSubscriber(subscriber)
    return await this.ask(scripts.removeSubscriber, { name: subscriber }, this.#timeouts)
  }

  async setHistory(keepMs: number): Promise<void> {
    await this.ask(scripts.setHistory, { historyMs: wholeNumber('keepMs', keepMs, 0) })
  }

  async getHistory(): Promise<number> {
    return await this.ask(scripts.history)
  }

  protected override get kind(): ObjectKind {
    return 'stream'
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, subscriberTimeouts(key)]
  }

  get #timeouts() {
    return { timeouts: subscriberTimeouts(this.key) }
  }

  /** Undefined in a batch, which has none. */
  get #subscribers(): ReliableSubscribers | undefined {
    return this.requests.isBatch ? undefined : this.#shared.get(ReliableSubscribers)
  }

  async #subscribe(
    listener: ReliableListener<M>,
    options: ReliableListenOptions | undefined,
  ): Promise<ReliableSubscription> {
    demandTurns(this.requests, 'addListener()')
    const listening = checkedReliableListening(options)
    const { deadLetterTopic } = listening
    const deadLetterKey = deadLetterTopic === undefined ? undefined : this.#otherTopic(deadLetterTopic)
    return await this.#shared.get(ReliableSubscribers).add({
      keys: { stream: this.key, ...this.#timeouts },
      listening,
      listener,
      signal: this.requests.signal,
      deadLetterKey,
      read: this.#read,
      take: (message, delivery) => listener(message as M, delivery),
    })
  }

  #otherTopic(name: string): string {
    const key = this.keyInSlot(name)
    if (key !== this.key) return key
    throw new RangeError(`Expected \`deadLetterTopic\` to be another topic, got ${inspectWord(name)}`)
  }

  /** What another program has added to the stream may be no message. */
  readonly #read = (bytes: Buffer | undefined): M => {
    if (bytes !== undefined) return decodeAt(this.#codec, bytes, { object: this.name })
    throw new CodecError({
      codec: this.#codec.name,
      action: 'decode',
      expected: 'a message in the field `m`',
      got: 'an entry without it',
      object: this.name,
    })
  }

  #beSwept(): void {
    if (this.#isSwept) return
    this.#isSwept = true
    this.#shared.get(TopicSweeping).hold(this, { stream: this.key, ...this.#timeouts })
  }
}
