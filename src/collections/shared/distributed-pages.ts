import type { DistributedIteratorOptions } from '../set/set.api.js'
import { readTaken, withTaken, type Taking } from '../../codec/taken.js'
import { demandTurns } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { FIRST_CURSOR, type Page } from '../../core/pages.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'
import type { ObjectRequests } from '../../core/object-requests.js'

const OPTIONS = known<DistributedIteratorOptions>({
  pattern: true,
  count: true,
  onInvalid: true,
  signal: true,
  iteratorName: true,
})

/** How many values a page has: what one process takes is lost if it ends. */
const COUNT = 100

/** For how long Redisson keeps how far the walk is. */
const CURSOR_SECONDS = 3_600

const EXACTLY_ONCE = { exactlyOnce: true }

/** Takes the next page of a walk that several clients make together. */
type NextPage<T> = Script<'set' | 'cursor', 'count' | 'keptSeconds' | '...source', Page<T>>

/** A walk that several clients make together. */
interface Walk<T> {
  readonly script: NextPage<T>
  /** What the script reads a page by. */
  readonly source: readonly string[]
  /** The key where Redis keeps how far the walk is. */
  readonly cursor: string
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function distributedScan(
  options: DistributedIteratorOptions = {},
): ScanSettings & { readonly iteratorName: string | undefined } {
  demandOptions(options, OPTIONS)
  const { iteratorName, count = COUNT, ...scan } = options
  return { ...checkedScan({ ...scan, count }), iteratorName }
}

/**
 * The values that this process takes of such a walk. Those of a page that can be read come before the error of the others, as no other process
 * gets them.
 *
 * @throws {@link CodecError} with the bytes that cannot be read, unless they are left out
 */
export async function* distributedItems<T, R>(
  requests: ObjectRequests,
  walk: Walk<T>,
  settings: ScanSettings,
  taking: Taking<T, R>,
): AsyncGenerator<R, void, undefined> {
  for await (const page of distributedPages(requests, walk, settings)) {
    const { values, unreadable, failure } = readTaken(page, taking)
    for (const value of values) {
      settings.signal?.throwIfAborted()
      yield value
    }
    if (failure !== undefined && settings.onInvalid !== 'skip') throw withTaken(failure, [], unreadable)
  }
}

/**
 * The pages that this process takes of a walk that several make together. A page that was asked for is not given up: no other process would
 * get it.
 */
async function* distributedPages<T>(
  requests: ObjectRequests,
  { script, source, cursor }: Walk<T>,
  { count, signal }: ScanSettings,
): AsyncGenerator<readonly T[], void, undefined> {
  demandTurns(requests, 'distributedIterator()')
  const args = { count, keptSeconds: CURSOR_SECONDS, source }
  let following: string
  do {
    signal?.throwIfAborted()
    const [next, page] = await requests.ask(script, args, { cursor }, EXACTLY_ONCE)
    yield page
    following = next
  } while (following !== FIRST_CURSOR)
}
