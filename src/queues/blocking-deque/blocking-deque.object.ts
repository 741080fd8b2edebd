import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { Receivers } from '../blocking-queue/receivers.js'
import { RedissonBlockingDeque } from './blocking-deque.js'

/** How a client and a batch make one. */
export const getBlockingDeque: Factory<QueueObjects['getBlockingDeque']> = (
  { context, shared },
  name,
  options,
) => {
  const services = { waiters: shared.get(KeyWaiters), receivers: shared.get(Receivers) }
  return new RedissonBlockingDeque(context, name, valueSettings(options, context), services)
}
