import type { SortedValue } from './sorted-set.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { ScanSettings } from '../../core/arguments/scan-settings.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { demandComparable, type ElementCodec } from './elements.js'
import * as scripts from './sorted-set.scripts.js'

interface ReaderDeps<V extends SortedValue> {
  readonly requests: ObjectRequests
  /** The name of the set, for errors. */
  readonly name: string
  /** The key of its order. */
  readonly comparator: string
  readonly elements: ElementCodec<V>
}

/** Reads the bytes of one sorted set in their order. */
export class SortedSetReader<V extends SortedValue> {
  readonly #deps: ReaderDeps<V>

  constructor(deps: ReaderDeps<V>) {
    this.#deps = deps
  }

  /** Reads page after page. Each begins after the last value of the one before, wherever that is by then. */
  async *pages(
    { count, signal }: Pick<ScanSettings, 'count' | 'signal'>,
    options?: RunOptions,
  ): AsyncGenerator<readonly Buffer[], void, undefined> {
    let last: Buffer | undefined
    for (;;) {
      signal?.throwIfAborted()
      const page = await raceAbort(this.#page(count, last, options), signal)
      if (page.length > 0) yield page
      if (page.length < count) return
      last = page.at(-1)
    }
  }

  async #page(
    count: number,
    last: Buffer | undefined,
    options: RunOptions | undefined,
  ): Promise<readonly Buffer[]> {
    const { requests, name, comparator, elements } = this.#deps
    const after = elements.asRead(last === undefined ? [] : [last])
    const args = { form: after.form, count, last: after.bytes }
    const [code, page] = await requests.ask(scripts.page, args, { comparator }, options)
    demandComparable(name, code)
    return page
  }
}
