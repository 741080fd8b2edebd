import type { QueueObjects } from '../queues.api.js'
import { EntryRooms } from '../../collections/shared/entry-objects.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonPriorityQueue } from './priority-queue.js'

/** How a client and a batch make one. */
export const getPriorityQueue: Factory<QueueObjects['getPriorityQueue']> = (
  { context, shared },
  name,
  options,
) => new RedissonPriorityQueue(context, name, valueSettings(options, context), shared.get(EntryRooms))
