import type { ServiceObjects } from '../services.api.js'
import type { Factories } from '../../core/factories.js'
import type { LockContext } from '../../core/object-context.js'
import { RedissonKeys } from './keys.js'

/** How a client makes one. */
export const keysFactories: Factories<Pick<ServiceObjects, 'getKeys'>, LockContext> = {
  getKeys: ({ context }, options) => new RedissonKeys(context, options),
}
