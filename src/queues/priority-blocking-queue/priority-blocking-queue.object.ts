import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { sharedByPriorityCalls } from './priority-calls.js'
import { RedissonPriorityBlockingQueue } from './priority-blocking-queue.js'

/** How a client and a batch make one. */
export const getPriorityBlockingQueue: Factory<QueueObjects['getPriorityBlockingQueue']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonPriorityBlockingQueue(
    context,
    name,
    valueSettings(options, context),
    sharedByPriorityCalls(shared),
  )
