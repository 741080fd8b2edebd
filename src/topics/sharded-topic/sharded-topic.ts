import type { ListenOptions, MessagesOptions, Subscription } from '../../api/topics/subscription.js'
import type { RShardedTopic } from '../../api/topics/sharded-topic.js'
import type { MessageListener } from '../../api/topics/topic.js'
import { demandSupported } from '../../core/unsupported.js'
import { RedissonTopic, type TopicDeps } from '../topic/topic.js'
import { publish, subscribers } from './sharded-topic.commands.js'

/** One sharded channel. */
export class RedissonShardedTopic<M> extends RedissonTopic<M> implements RShardedTopic<M> {
  constructor(deps: TopicDeps<M>) {
    super(deps, { kind: 'sharded', publish, subscribers })
  }

  override publish(message: M, surplus?: unknown): Promise<number> {
    return explained(super.publish(message, surplus))
  }

  override addListener(
    listener: MessageListener<M>,
    options?: ListenOptions,
    surplus?: unknown,
  ): Promise<Subscription> {
    return explained(super.addListener(listener, options, surplus))
  }

  override messages(options?: MessagesOptions, surplus?: unknown): AsyncIterable<M, undefined> {
    const messages = super.messages(options, surplus)
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

  override countSubscribers(surplus?: unknown): Promise<number> {
    return explained(super.countSubscribers(surplus))
  }
}

function explained<T>(asked: Promise<T>): Promise<T> {
  return demandSupported(asked, 'A sharded topic', 'Redis 7')
}
