import type { Channel, Subscriber, SubscriberListener } from '../connection.js'
import type { NodeSubscriber } from './node-subscriber.js'

/** Makes a connection that listens. */
export type OpenListening = (listener: SubscriberListener) => NodeSubscriber

/** Listens to the master: over one connection to sharded channels, over another to all others. Each is made when it is first needed. */
export class MasterSubscriber implements Subscriber {
  readonly announcements = 'plain'
  readonly #open: OpenListening
  readonly #unreachable: () => Error | undefined
  readonly #links = new Map<'sharded' | 'others', NodeSubscriber>()
  #listener: SubscriberListener | undefined

  /**
   * @param unreachable - returns why there is no connection, if there is none
   */
  constructor(open: OpenListening, unreachable: () => Error | undefined) {
    this.#open = open
    this.#unreachable = unreachable
  }

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(channel: Channel): void {
    const link = this.#linkOf(channel) ?? this.#openFor(channel)
    link?.subscribe(channel)
  }

  unsubscribe(channel: Channel): void {
    this.#linkOf(channel)?.unsubscribe(channel)
  }

  refusalOf(channel: Channel): Error | undefined {
    const link = this.#linkOf(channel)
    const refusal = link?.refusalOf(channel)
    return refusal !== undefined || link?.isReady === true ? refusal : this.#unreachable()
  }

  /** Reconnects the connections that lead to another address. */
  follow(address: string): void {
    for (const link of this.#links.values()) link.follow(address)
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#listener = undefined
    await Promise.all(Array.from(this.#links.values(), (link) => link.close()))
  }

  #linkOf(channel: Channel): NodeSubscriber | undefined {
    return this.#links.get(familyOf(channel))
  }

  #openFor(channel: Channel): NodeSubscriber | undefined {
    if (this.#listener === undefined) return undefined
    const link = this.#open(this.#listener)
    this.#links.set(familyOf(channel), link)
    return link
  }
}

function familyOf({ kind }: Channel): 'sharded' | 'others' {
  return kind === 'sharded' ? 'sharded' : 'others'
}
