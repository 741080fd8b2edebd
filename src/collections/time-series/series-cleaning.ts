import { prefixed } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import * as scripts from './time-series.scripts.js'

/** Ends the cleaning for series that the program does not refer to any more. */
const unused = new FinalizationRegistry<() => void>((end) => {
  end()
})

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
    if (executor.isBatch) return
    const keys = { series: key, ttl: seriesKeys(key)[1] }
    const end = this.#context.eviction.hold(key, (signal, { limit }) =>
      executor.run(scripts.clean, { keys, args: { most: limit } }, { signal }),
    )
    unused.register(series, end)
  }
}
