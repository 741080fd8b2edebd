import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { sharedByPriorityCalls } from '../priority-blocking-queue/priority-calls.js'
import { RedissonPriorityBlockingDeque } from './priority-blocking-deque.js'

/** How a client and a batch make one. */
export const getPriorityBlockingDeque: Factory<QueueObjects['getPriorityBlockingDeque']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonPriorityBlockingDeque(
    context,
    name,
    valueSettings(options, context),
    sharedByPriorityCalls(shared),
  )
