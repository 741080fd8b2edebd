import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import type { Channel, Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import { Subscriptions, type Subscription } from '../../../src/pubsub/subscriptions.js'
import { Emitter } from '../../../src/util/emitter.js'

/** A connection and its subscriptions, as a client has them. */
export class Listening implements AsyncDisposable {
  readonly connection: Connection
  readonly subscriptions: Subscriptions

  constructor(connection: Connection) {
    this.connection = connection
    this.subscriptions = new Subscriptions(connection.subscriber)
  }

  static async to(options: RedissonOptions): Promise<Listening> {
    return new Listening(await createConnection(resolveConfig(options), new Emitter()))
  }

  /** Listens to a channel, and records what is heard, as `subscribed`, `gap`, or the bytes in hex. */
  hear(channel: Channel): Subscription & { readonly heard: string[] } {
    const heard: string[] = []
    const subscription = this.subscriptions.join(channel, {
      message: (payload) => heard.push(payload.toString('hex')),
      subscribed: () => heard.push('subscribed'),
      gap: () => heard.push('gap'),
      refused: (error) => heard.push(error.message),
    })
    return Object.assign(subscription, { heard })
  }

  async publish(name: 'publish' | 'spublish', channel: string, payload: Buffer | string): Promise<void> {
    await this.connection.send({ name, args: [channel, payload] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close()
  }
}
