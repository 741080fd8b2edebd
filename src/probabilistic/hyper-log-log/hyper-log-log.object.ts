import type { ProbabilisticObjects } from '../probabilistic.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonHyperLogLog } from './hyper-log-log.js'

/** How a client and a batch make one. */
export const getHyperLogLog: Factory<ProbabilisticObjects['getHyperLogLog']> = ({ context }, name, options) =>
  new RedissonHyperLogLog(context, name, valueSettings(options, context))
