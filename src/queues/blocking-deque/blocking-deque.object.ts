import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { sharedByCalls } from '../blocking-queue/blocking-calls.js'
import { RedissonBlockingDeque } from './blocking-deque.js'

/** How a client and a batch make one. */
export const getBlockingDeque: Factory<QueueObjects['getBlockingDeque']> = (
  { context, shared },
  name,
  options,
) => new RedissonBlockingDeque(context, name, valueSettings(options, context), sharedByCalls(shared))
