import type { DistributedIteratorOptions } from '../../api/collections/set.js'
import { demandTurns } from '../../command/command-executor.js'
import type { Script } from '../../command/script.js'
import { demandOptions, known } from '../../core/options.js'
import { FIRST_CURSOR, type Page } from '../../core/pages.js'
import { checkedScan, type ScanSettings } from '../../core/scan-settings.js'
import type { ObjectAccess } from './object-access.js'

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
type NextPage<T> = Script<'set' | 'cursor', 'scan' | 'pattern' | 'count' | 'keptSeconds', Page<T>>

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function distributedScan(options: DistributedIteratorOptions): ScanSettings {
  demandOptions(options, OPTIONS)
  const { iteratorName: _, count = COUNT, ...scan } = options
  return checkedScan({ ...scan, count })
}

/**
 * The pages that this process takes of a walk that several make together. A page that was asked for is not given up: no other process would
 * get it.
 *
 * @param scan - the command that reads a page
 * @param cursor - the key where Redis keeps how far the walk is
 */
export async function* distributedPages<T>(
  { executor, key }: ObjectAccess,
  { script, scan, cursor }: { readonly script: NextPage<T>; readonly scan: string; readonly cursor: string },
  { pattern, count, signal }: ScanSettings,
): AsyncGenerator<readonly T[], void, undefined> {
  demandTurns(executor, 'distributedIterator()')
  const args = { scan, pattern, count, keptSeconds: CURSOR_SECONDS }
  const call = { keys: { set: key, cursor }, args }
  let following: string
  do {
    signal?.throwIfAborted()
    const [next, page] = await executor.run(script, call, EXACTLY_ONCE)
    yield page
    following = next
  } while (following !== FIRST_CURSOR)
}
