import type { StreamObjects } from '../streams.api.js'
import type { Factory } from '../../core/context/factories.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { streamSettings } from './stream-arguments.js'
import { RedissonStream } from './stream.js'

/** How a client and a batch make one. */
export const getStream: Factory<StreamObjects['getStream']> = ({ context, shared }, name, options) =>
  new RedissonStream(context, name, streamSettings(options, context), shared.get(KeyWaiters))
