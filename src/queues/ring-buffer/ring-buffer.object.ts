import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonRingBuffer } from './ring-buffer.js'

/** How a client and a batch make one. */
export const getRingBuffer: Factory<QueueObjects['getRingBuffer']> = ({ context }, name, options) =>
  new RedissonRingBuffer(context, name, valueSettings(options, context))
