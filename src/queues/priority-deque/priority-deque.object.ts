import type { QueueObjects } from '../queues.api.js'
import { EntryRooms } from '../../collections/shared/entry-objects.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonPriorityDeque } from './priority-deque.js'

/** How a client and a batch make one. */
export const getPriorityDeque: Factory<QueueObjects['getPriorityDeque']> = (
  { context, shared },
  name,
  options,
) => new RedissonPriorityDeque(context, name, valueSettings(options, context), shared.get(EntryRooms))
