import type { RequestObjects } from '../services.api.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonKeys } from './keys.js'

/** How a client makes one, with or without a signal. */
export const getKeys: Factory<RequestObjects['getKeys']> = ({ context }, options) =>
  new RedissonKeys(context, options)
