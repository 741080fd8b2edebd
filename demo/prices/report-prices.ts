import { table, type Screen } from '../screen.js'
import type { PriceStep } from './price-steps.js'
import { SELLERS, type Shown } from './run-prices.js'
import { ITEMS } from './settings.js'

/** A step, and its result. */
export interface PriceResult {
  readonly step: PriceStep
  readonly shown: Shown
}

/** Says that prices are shown from here on. */
export function announceFourthAct(screen: Screen): void {
  screen.say()
  screen.say(
    `Act four: ${String(SELLERS)} processes show the prices of ${String(ITEMS.length)} items, of which one changes ten times a second.`,
  )
}

/** Says which prices were shown, and what there is to learn from it. */
export function reportPrices({ step, shown }: PriceResult, screen: Screen): void {
  const counts = [
    `shown ${String(shown.shown)}`,
    `old ${String(shown.old)}`,
    `failed ${String(shown.failed)}`,
    `changes ${String(shown.changes)}`,
    `loads ${String(shown.loads)}`,
    `and ${String(shown.loadsWithoutRedis)} while Redis stood still`,
    `slowest ${String(Math.round(shown.slowestMs))} ms`,
  ]
  if (shown.localShare !== undefined)
    counts.push(`${String(Math.round(shown.localShare * 100))} % from memory`)
  screen.say(`     ${counts.join(', ')}`)
  const wrong = priceDeviations(step, shown)
  if (wrong.length === 0) screen.say(`     ${step.lesson}`)
  for (const deviation of wrong) screen.say(`     NOT AS EXPECTED: ${deviation}`)
}

/** Where a step did not behave as it should; empty if it did. */
export function priceDeviations(
  { showsOld }: PriceStep,
  { shown, old, failed, changes, loads }: Omit<Shown, 'slowestMs' | 'localShare' | 'loadsWithoutRedis'>,
): readonly string[] {
  const first = ITEMS.length
  return [
    ...(shown > 0 ? [] : ['expected shown to be more than 0']),
    ...(failed === 0 ? [] : [`expected failed to be 0, got ${String(failed)}`]),
    ...(old > 0 === showsOld
      ? []
      : [`expected old to be ${showsOld ? 'more than 0' : '0'}, got ${String(old)}`]),
    ...(showsOld || loads <= 2 * (first + changes)
      ? []
      : [`expected about one load for each of ${String(first + changes)} prices, got ${String(loads)}`]),
  ]
}

/** Prints the steps side by side. Returns whether all behaved as expected. */
export function summarizePrices(results: readonly PriceResult[], screen: Screen): boolean {
  screen.say()
  for (const line of table([HEAD, ...results.map(row)])) screen.say(line)
  return results.every(isAsExpected)
}

const HEAD = ['step', 'shown', 'old', 'changes', 'loads', 'slowest ms', 'verdict']

function row(result: PriceResult): readonly string[] {
  const { step, shown } = result
  const numbers = [shown.shown, shown.old, shown.changes, shown.loads, Math.round(shown.slowestMs)].map(
    String,
  )
  return [step.name, ...numbers, verdict(result)]
}

function verdict(result: PriceResult): string {
  if (!isAsExpected(result)) return 'NOT AS EXPECTED'
  return result.step.showsOld ? 'shows old prices, as expected' : 'shows no old price, as expected'
}

function isAsExpected({ step, shown }: PriceResult): boolean {
  return priceDeviations(step, shown).length === 0
}
