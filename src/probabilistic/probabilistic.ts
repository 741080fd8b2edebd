import type { ValueOptions } from '../api/object-options.js'
import type { RBloomFilter } from '../api/probabilistic/bloom-filter.js'
import type { RHyperLogLog } from '../api/probabilistic/hyper-log-log.js'
import type { ProbabilisticObjects } from '../api/probabilistic/objects.js'
import type { ObjectContext } from '../core/object-context.js'
import { valueSettings } from '../core/object-settings.js'
import { RedissonBloomFilter } from './bloom-filter/bloom-filter.js'
import { RedissonHyperLogLog } from './hyper-log-log/hyper-log-log.js'

/** Makes probabilistic objects. */
export class Probabilistic implements ProbabilisticObjects {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  getHyperLogLog<V>(name: string, options: ValueOptions<V> = {}): RHyperLogLog<V> {
    return new RedissonHyperLogLog(this.#context, name, valueSettings(options, this.#context))
  }

  getBloomFilter<V>(name: string, options: ValueOptions<V> = {}): RBloomFilter<V> {
    return new RedissonBloomFilter(this.#context, name, valueSettings(options, this.#context))
  }
}
