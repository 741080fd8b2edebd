import type { ProbabilisticObjects } from '../probabilistic.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonHyperLogLog } from './hyper-log-log.js'

/** How a client and a batch make one. */
export const hyperLogLogFactories: Factories<Pick<ProbabilisticObjects, 'getHyperLogLog'>> = {
  getHyperLogLog: ({ context }, name, options) =>
    new RedissonHyperLogLog(context, name, valueSettings(options, context)),
}
