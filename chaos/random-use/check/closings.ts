import type { BeginEntry, ClosingEntry, EndEntry, Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'
import { Kills } from './kills.js'

/** What rejects at once is answered within this time, however busy the machine is. */
const AT_ONCE_MS = 2_000

/** What was granted when the client began to close is handed out within this time. */
const HANDED_OUT_MS = 500

/** What was given back is given to the next within this time. */
const NEXT_WITHIN_MS = 5_000

/** How long a shutdown waits for Redis after the drain, and a little more. */
const LONGEST_END_MS = 7_000

interface Call {
  readonly begin: BeginEntry
  readonly end: EndEntry | undefined
}

interface Closing {
  readonly process: string
  readonly begin: ClosingEntry
  readonly end: ClosingEntry | undefined
}

/** Compares what clients have seen that were shut down with what the guide promises of that. */
export function checkClosings(entries: readonly Entry[], conditions: Conditions): Breach[] {
  const kills = new Kills(entries)
  const closings = closingsOf(entries).filter(({ process }) => kills.at(process) === Infinity)
  if (closings.length === 0) return []
  const acquisitions = callsOf(entries).filter(({ begin }) => begin.op === 'acquire')
  return closings.flatMap((closing) => [
    ...tooLong(closing),
    ...acquisitions
      .filter(({ begin }) => begin.process === closing.process)
      .flatMap((call) => late(closing, call)),
    ...(conditions.faulty || !kills.areNone ? [] : notHandedOn(closing, acquisitions, conditions)),
  ])
}

function closingsOf(entries: readonly Entry[]): Closing[] {
  const all = entries.filter((entry) => entry.type === 'closing')
  return all.flatMap((begin) => {
    if (begin.phase !== 'begin') return []
    const { process } = begin
    return [{ process, begin, end: all.find((end) => end.phase === 'end' && end.process === process) }]
  })
}

function callsOf(entries: readonly Entry[]): Call[] {
  const ends = new Map(entries.flatMap((entry) => (entry.type === 'end' ? [[entry.id, entry] as const] : [])))
  return entries.flatMap((entry) =>
    entry.type === 'begin' ? [{ begin: entry, end: ends.get(entry.id) }] : [],
  )
}

function tooLong({ process, begin, end }: Closing): Breach[] {
  const ms = (end?.at ?? Infinity) - begin.at
  if (ms <= begin.drainMs + LONGEST_END_MS) return []
  const what = `${process}: shutdown() took ${ms.toFixed(0)} ms with a drain of ${String(begin.drainMs)} ms`
  return [{ kind: 'closing', what, entries: end === undefined ? [begin] : [begin, end] }]
}

/** Calls that were answered when the client had begun to close, and not at once, or not by a rejection. */
function late({ process, begin: closing }: Closing, { begin, end }: Call): Breach[] {
  const askedAfter = begin.at > closing.at
  const graceMs = askedAfter ? 0 : HANDED_OUT_MS
  const limit = Math.max(begin.at, closing.at) + AT_ONCE_MS
  const isLate = end === undefined || end.at > limit
  const isGranted = end?.outcome === 'ok' && end.at > closing.at + graceMs
  if (!isLate && !isGranted) return []
  const asked = askedAfter ? 'after' : 'before'
  const ms = ((end?.at ?? Infinity) - Math.max(begin.at, closing.at)).toFixed(0)
  const answer =
    end === undefined ? 'never answered' : `answered "${end.error ?? end.outcome}" after ${ms} ms`
  const what = `${begin.name}: ${process} asked ${asked} its shutdown began, and was ${answer}`
  return [{ kind: 'closing', what, entries: end === undefined ? [begin] : [begin, end] }]
}

/** Locks with waiters when a client had released all that it had, which no waiter got for long. */
function notHandedOn(
  { process, begin, end }: Closing,
  acquisitions: readonly Call[],
  conditions: Conditions,
): Breach[] {
  if (!begin.release || end === undefined) return []
  const untilMs = end.at + NEXT_WITHIN_MS
  return conditions.resources.flatMap(({ name, permits }) => {
    if (permits !== 1) return []
    const about = acquisitions.filter((call) => call.begin.name === name)
    const waiting = about.filter(
      (call) =>
        call.begin.at < end.at && (call.end?.at ?? Infinity) > untilMs && call.begin.process !== process,
    )
    const isServed = about.some(
      (call) => call.end?.outcome === 'ok' && call.end.at > begin.at && call.end.at <= untilMs,
    )
    if (waiting.length === 0 || isServed) return []
    const what = `${name}: no caller got it in ${String(NEXT_WITHIN_MS)} ms after ${process} was shut down, and ${String(waiting.length)} waited`
    return [{ kind: 'closing', what, entries: waiting.map((call) => call.begin) }]
  })
}
