import type { RequestObjects } from '../services.api.js'
import type { Factories } from '../../core/context/factories.js'
import { RedissonKeys } from './keys.js'

/** How a client makes one, with or without a signal. */
export const keysFactories: Factories<Pick<RequestObjects, 'getKeys'>> = {
  getKeys: ({ context }, options) => new RedissonKeys(context, options),
}
