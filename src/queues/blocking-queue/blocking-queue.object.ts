import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { sharedByCalls } from './blocking-calls.js'
import { RedissonBlockingQueue } from './blocking-queue.js'

/** How a client and a batch make one. */
export const getBlockingQueue: Factory<QueueObjects['getBlockingQueue']> = (
  { context, shared },
  name,
  options,
) => new RedissonBlockingQueue(context, name, valueSettings(options, context), sharedByCalls(shared))
