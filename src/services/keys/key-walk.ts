import type { KeysScanOptions } from './keys.api.js'
import type { Masters } from '../../command/masters.js'
import { demandName, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { FIRST_CURSOR, type Page } from '../../core/pages.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import * as commands from './keys.commands.js'

const SCAN = known<KeysScanOptions>({
  pattern: true,
  type: true,
  count: true,
  limit: true,
  onInvalid: true,
  signal: true,
})

/** What the keys begin with under which the replies to requests are kept: see `OnceKeys`. They belong to no object. */
const REQUEST_KEY = Buffer.from('redisson__once:')

/** How keys are to be walked through. */
export interface KeyScan extends ScanSettings {
  readonly type: string | undefined
  readonly limit: number
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a number that is too small or too large */
export function keyScan(options: KeysScanOptions = {}): KeyScan {
  demandOptions(options, SCAN)
  const { type, limit = Infinity, ...rest } = options
  if (type !== undefined) demandName('`type` to be', type)
  if (limit !== Infinity) wholeNumber('limit', limit, 1)
  return { ...checkedScan(rest), type, limit }
}

/** All keys of all masters, page by page. The pattern is that of the keys in Redis. */
export function keyPages(masters: Masters, settings: KeyScan): AsyncGenerator<readonly Buffer[], void> {
  return masters.walk((master) => pagesAt(masters, master, settings))
}

/**
 * All keys of one master. It begins again with each new connection, since a cursor means nothing to a server that was started again, nor to
 * one that has taken the place of another.
 */
async function* pagesAt(
  masters: Masters,
  master: string,
  settings: KeyScan,
): AsyncGenerator<readonly Buffer[], void> {
  let cursor = FIRST_CURSOR
  let session: object | undefined
  for (;;) {
    settings.signal?.throwIfAborted()
    const [following, keys] = await raceAbort(pageAt(masters, master, cursor, settings), settings.signal)
    const now = masters.sessionOf(master)
    const isCursorOfAnother = cursor !== FIRST_CURSOR && now !== session
    session = now
    cursor = isCursorOfAnother ? FIRST_CURSOR : following
    if (isCursorOfAnother) continue
    yield keys.filter(isOfObject)
    if (cursor === FIRST_CURSOR) return
  }
}

/** Whether a key may belong to an object, or to another program. */
export function isOfObject(key: Buffer): boolean {
  return !key.subarray(0, REQUEST_KEY.length).equals(REQUEST_KEY)
}

function pageAt(
  masters: Masters,
  master: string,
  cursor: string,
  { pattern, count, type }: KeyScan,
): Promise<Page<Buffer>> {
  const args = { cursor, pattern, count }
  return type === undefined
    ? masters.send(master, commands.scan, { keys: {}, args })
    : masters.send(master, commands.scanType, { keys: {}, args: { ...args, type } })
}
