import type { ServiceObjects } from '../services.api.js'
import type { Factories } from '../../core/factories.js'
import type { LockContext } from '../../core/object-context.js'
import { valueSettings } from '../../core/object-settings.js'
import { RedissonScript } from './script.js'

/** How a client makes one. */
export const scriptFactories: Factories<Pick<ServiceObjects, 'getScript'>, LockContext> = {
  getScript: ({ context }, options) => new RedissonScript(context, valueSettings(options, context)),
}
