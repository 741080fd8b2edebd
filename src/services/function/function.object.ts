import type { ServiceObjects } from '../services.api.js'
import type { Factories } from '../../core/factories.js'
import type { LockContext } from '../../core/object-context.js'
import { codecSettings } from '../../core/object-settings.js'
import { RedissonFunction } from './function.js'

/** How a client makes one. */
export const functionFactories: Factories<Pick<ServiceObjects, 'getFunction'>, LockContext> = {
  getFunction: ({ context }, options) => new RedissonFunction(context, codecSettings(options, context)),
}
