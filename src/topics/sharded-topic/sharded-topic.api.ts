import type { RTopic } from '../topic/topic.api.js'

/**
 * A topic whose messages stay with one node of a cluster, the owner of its slot. Nodes do not forward them,
 * so topics distribute the work over all nodes. It needs Redis 7 or later, even without a cluster.
 *
 * It is separate from an {@link RTopic} of the same name, and patterns do not match its messages. The numbers
 * that {@link RTopic.publish} and {@link RTopic.countSubscribers} return include all clients.
 *
 * With an older server, all methods that send requests reject with an {@link UnsupportedCommandError}.
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
