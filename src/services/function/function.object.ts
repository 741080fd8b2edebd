import type { RequestObjects } from '../services.api.js'
import type { Factory } from '../../core/context/factories.js'
import { codecSettings } from '../../core/arguments/object-settings.js'
import { RedissonFunction } from './function.js'

/** How a client makes one, with or without a signal. */
export const getFunction: Factory<RequestObjects['getFunction']> = ({ context }, options) =>
  new RedissonFunction(context, codecSettings(options, context))
