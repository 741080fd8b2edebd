import { prefixed } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { EvictionTask } from '../../eviction/eviction-service.js'
import { cleanWhileUsed } from '../shared/cleaning.js'
import { removal } from './series-requests.js'
import { ALL_TIME } from './timestamps.js'
import * as scripts from './time-series.scripts.js'

/** The keys of a series: the entries, the end of each, and the counter that later versions of Redisson keep. */
export function seriesKeys(key: string): readonly [series: string, ttl: string, sequence: string] {
  return [key, prefixed('redisson__ts_ttl', key), prefixed('redisson__ts_seq', key)]
}

/** Removes entries that have ended from the series of one client. */
export class SeriesCleaning {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Cleans a series until it is garbage-collected; in a batch, which is over soon, it is not cleaned. */
  hold(series: object, key: string): void {
    const { executor } = this.#context
    const keys = { series: key, ttl: seriesKeys(key)[1] }
    const clean: EvictionTask = async (signal, { limit }) => {
      const args = removal(ALL_TIME, 'forward', { count: 0, most: limit, silent: 1 })
      return (await executor.run(scripts.remove, { keys, args }, { signal }))[0]
    }
    cleanWhileUsed(this.#context, series, { kind: 'time-series', key }, clean)
  }
}
