import type { CounterObjects } from '../counters.api.js'
import type { Factory } from '../../core/context/factories.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import { RedissonAtomicDouble } from './atomic-double.js'

/** How a client and a batch make one. */
export const getAtomicDouble: Factory<CounterObjects['getAtomicDouble']> = ({ context }, name, options) =>
  new RedissonAtomicDouble(context, name, objectSettings(options))
