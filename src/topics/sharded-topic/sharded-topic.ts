import type { ListenOptions, MessagesOptions, Subscription } from '../shared/subscription.api.js'
import type { RShardedTopic } from './sharded-topic.api.js'
import type { MessageListener } from '../topic/topic.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { demandSupported } from '../../core/unsupported.js'
import { RedissonTopic, type TopicDeps } from '../topic/topic.js'
import { publish, subscribers } from './sharded-topic.commands.js'

/** One sharded channel. */
export class RedissonShardedTopic<M> extends RedissonTopic<M> implements RShardedTopic<M> {
  static {
    refuseSurplus(this)
  }

  constructor(deps: TopicDeps<M>) {
    super(deps, { kind: 'sharded', publish, subscribers })
  }

  override async publish(message: M): Promise<number> {
    return await explained(super.publish(message))
  }

  override async addListener(listener: MessageListener<M>, options?: ListenOptions): Promise<Subscription> {
    return await explained(super.addListener(listener, options))
  }

  override messages(options?: MessagesOptions): AsyncIterable<M, undefined> {
    const messages = super.messages(options)
    return {
      [Symbol.asyncIterator]: () => {
        const iterator = messages[Symbol.asyncIterator]()
        return {
          next: () => explained(iterator.next()),
          return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }),
        }
      },
    }
  }

  override async countSubscribers(): Promise<number> {
    return await explained(super.countSubscribers())
  }
}

function explained<T>(asked: Promise<T>): Promise<T> {
  return demandSupported(asked, 'A sharded topic', 'Redis 7')
}
