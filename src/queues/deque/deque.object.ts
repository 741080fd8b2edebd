import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonDeque } from './deque.js'

/** How a client and a batch make one. */
export const getDeque: Factory<QueueObjects['getDeque']> = ({ context }, name, options) =>
  new RedissonDeque(context, name, valueSettings(options, context))
