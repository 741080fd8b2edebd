import type { QueueObjects } from '../queues.api.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonObject } from '../../core/redisson-object.js'
import { inspectShort } from '../../util/inspect-short.js'
import { RedissonQueue } from '../queue/queue.js'
import { DelayedTransfers } from './delayed-transfers.js'
import { RedissonDelayedQueue } from './delayed-queue.js'

/** What delays a message of a reliable queue. */
const BY_ITSELF = ': a reliable queue delays its messages by itself: offer(value, { delayMs })'

function isReliable(destination: unknown): boolean {
  return destination instanceof RedissonObject && 'offerOnce' in destination
}

/** How a client and a batch make one. */
export const getDelayedQueue: Factory<QueueObjects['getDelayedQueue']> = (
  { context, shared },
  destination,
  options,
) => {
  if (!((destination as unknown) instanceof RedissonQueue)) {
    const hint = isReliable(destination) ? BY_ITSELF : ''
    throw new TypeError(
      `Expected \`destination\` to be a queue, such as that of getQueue(), got ${inspectShort(destination)}${hint}`,
    )
  }
  if ((destination.constructor as typeof RedissonQueue).isCounted)
    throw new TypeError(
      `Expected \`destination\` to be a queue without a capacity of its own, got ${inspectShort(destination)}`,
    )
  const { name, codec } = destination
  const settings = { codec: codec as never, run: objectSettings(options) }
  return new RedissonDelayedQueue(context, name, settings, shared.get(DelayedTransfers))
}
