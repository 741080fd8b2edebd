import { deviations, oversold, type Outcome, type Sales } from './outcome.js'
import { table, type Screen } from './screen.js'
import { isWithoutLock, type Step } from './steps.js'

/** How many of the best-selling items are named. */
const TOP = 10

/** A step, and its result. */
export interface Result {
  readonly step: Step
  readonly outcome: Outcome
}

/** Says which step begins. */
export function announce(
  { name, belief }: Pick<Step, 'name' | 'belief'>,
  position: string,
  screen: Screen,
): void {
  screen.say()
  screen.say(`${position}  ${name}: "${belief}"`)
}

/** Says that the shops sell without a lock from here on. */
export function announceSecondAct(screen: Screen): void {
  screen.say()
  screen.say('Act two: the same shops without a lock.')
}

/** Says what went wrong in a step, and what there is to learn from it. */
export function reportStep({ step, outcome }: Result, screen: Screen): void {
  const { sold, stockLeft, stuck, wrongReleases, lateReleases, twoInside, lockEndsInMs, sales, tookMs } =
    outcome
  const counts = [
    `sold ${String(sold)}`,
    `oversold ${String(oversold(outcome))}`,
    `stock left ${String(stockLeft)}`,
    `stuck ${String(stuck)}`,
    `wrong releases ${String(wrongReleases)}`,
    ...(lateReleases > 0 ? [`refused releases ${String(lateReleases)}`] : []),
    `two inside ${String(twoInside)}`,
  ]
  screen.say(`     ${counts.join(', ')} (${(tookMs / 1000).toFixed(1)} s)`)
  if (stuck > 0 && lockEndsInMs === -1)
    screen.say('     the lock is held by a dead process, and has no end (PTTL -1)')
  if (sales !== undefined) screen.say(`     best-selling: ${topTen(sales)}`)
  const wrong = deviations(outcome, step.expected)
  if (wrong.length === 0) screen.say(`     ${step.lesson}`)
  for (const deviation of wrong) screen.say(`     NOT AS EXPECTED: ${deviation}`)
}

/** Prints all steps side by side. Returns whether all behaved as expected. */
export function summarize(results: readonly Result[], screen: Screen): boolean {
  screen.say()
  for (const line of table([HEAD, ...results.map(row)])) screen.say(line)
  const unexpected = results.filter((result) => !isAsExpected(result))
  screen.say()
  if (unexpected.length === 0) screen.say('Every step behaved as expected.')
  else screen.say(`Not as expected: ${unexpected.map(({ step }) => step.name).join(', ')}.`)
  return unexpected.length === 0
}

const HEAD = ['step', 'sold', 'oversold', 'stuck', 'wrong releases', 'two inside', 'verdict']

function row(result: Result): readonly string[] {
  const { step, outcome } = result
  const { sold, stuck, wrongReleases, twoInside } = outcome
  const numbers = [sold, oversold(outcome), stuck, wrongReleases, twoInside].map(String)
  return [step.name, ...numbers, verdict(result)]
}

function verdict(result: Result): string {
  if (!isAsExpected(result)) return 'NOT AS EXPECTED'
  const { oversold: sells, stuck, wrongReleases, twoInside } = result.step.expected
  if (stuck === 'some') return 'stuck, as expected'
  if (wrongReleases === 'some') return "deletes others' locks, as expected"
  if (sells === 'some') return 'oversells, as expected'
  if (isWithoutLock(result.step)) return 'holds without a lock, as expected'
  return twoInside === 'some' ? 'lets two in, as expected' : 'holds, as expected'
}

function topTen(sales: readonly Sales[]): string {
  return sales
    .slice(0, TOP)
    .map(([item, sold]) => `${item} (${String(sold)})`)
    .join(', ')
}

function isAsExpected({ step, outcome }: Result): boolean {
  return deviations(outcome, step.expected).length === 0
}
