import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonQueue } from './queue.js'

/** How a client and a batch make one. */
export const getQueue: Factory<QueueObjects['getQueue']> = ({ context }, name, options) =>
  new RedissonQueue(context, name, valueSettings(options, context))
