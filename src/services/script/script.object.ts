import type { RequestObjects } from '../services.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonScript } from './script.js'

/** How a client makes one, with or without a signal. */
export const getScript: Factory<RequestObjects['getScript']> = ({ context }, options) =>
  new RedissonScript(context, valueSettings(options, context))
