import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { Receivers } from './receivers.js'
import { RedissonBlockingQueue } from './blocking-queue.js'

/** How a client and a batch make one. */
export const getBlockingQueue: Factory<QueueObjects['getBlockingQueue']> = (
  { context, shared },
  name,
  options,
) => {
  const services = { waiters: shared.get(KeyWaiters), receivers: shared.get(Receivers) }
  return new RedissonBlockingQueue(context, name, valueSettings(options, context), services)
}
