import type { RTopic } from '../topic/topic.api.js'

/**
 * A topic whose messages stay with one node of a cluster, the owner of the slot of its name: the nodes pass nothing on, so that topics
 * share the work of all of them. It takes Redis 7 or later, also where there is no cluster.
 *
 * Messages of an {@link RTopic} of the same name are others, and patterns do not match these. The numbers that
 * {@link RTopic.publish} and {@link RTopic.countSubscribers} return are those of all clients.
 *
 * All methods that send requests reject with an {@link UnsupportedCommandError} where it is older.
 *
 * @example
 * ```ts
 * const topic = client.getShardedTopic<{ id: number }>('orders')
 * const subscription = await topic.addListener(({ id }) => console.log(id))
 * console.log(await topic.publish({ id: 7 })) // 1
 * await subscription.unsubscribe()
 * ```
 */
export type RShardedTopic<M> = RTopic<M>
