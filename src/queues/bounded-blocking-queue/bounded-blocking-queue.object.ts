import type { QueueObjects } from '../queues.api.js'
import { sharedByCalls } from '../blocking-queue/blocking-calls.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonBoundedBlockingQueue } from './bounded-blocking-queue.js'

/** How a client and a batch make one. */
export const getBoundedBlockingQueue: Factory<QueueObjects['getBoundedBlockingQueue']> = (
  { context, shared },
  name,
  options,
) => new RedissonBoundedBlockingQueue(context, name, valueSettings(options, context), sharedByCalls(shared))
