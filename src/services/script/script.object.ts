import type { RequestObjects } from '../services.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonScript } from './script.js'

/** How a client makes one, with or without a signal. */
export const scriptFactories: Factories<Pick<RequestObjects, 'getScript'>> = {
  getScript: ({ context }, options) => new RedissonScript(context, valueSettings(options, context)),
}
