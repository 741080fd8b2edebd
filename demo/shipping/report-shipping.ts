import { table, type Screen } from '../screen.js'
import { ORDERS, WORKERS, type Shipping } from './run-shipping.js'
import type { ShippingStep } from './shipping-steps.js'

/** A step, and its result. */
export interface ShippingResult {
  readonly step: ShippingStep
  readonly shipping: Shipping
}

/** Says that orders are shipped from here on. */
export function announceThirdAct(screen: Screen): void {
  screen.say()
  screen.say(
    `Act three: ${String(WORKERS)} workers ship ${String(ORDERS)} orders. One is killed every second, and another takes its place.`,
  )
}

/** Says what became of the orders, and what there is to learn from it. */
export function reportShipping({ step, shipping }: ShippingResult, screen: Screen): void {
  const { paid, shipped, twice, again, killed, tookMs } = shipping
  const counts = [
    `paid ${String(paid)}`,
    `shipped ${String(shipped)}`,
    `lost ${String(paid - shipped)}`,
    `delivered again ${String(again)}`,
    `killed ${String(killed)}`,
  ]
  if (twice > 0) counts.push(`recognized as shipped ${String(twice)}`)
  screen.say(`     ${counts.join(', ')} (${(tookMs / 1000).toFixed(1)} s)`)
  const wrong = shippingDeviations(step, shipping)
  if (wrong.length === 0) screen.say(`     ${step.lesson}`)
  for (const deviation of wrong) screen.say(`     NOT AS EXPECTED: ${deviation}`)
}

/** Where a step did not behave as it should; empty if it did. */
export function shippingDeviations(
  { losesOrders }: ShippingStep,
  { paid, shipped, again, killed }: Omit<Shipping, 'tookMs' | 'twice'>,
): readonly string[] {
  const lost = paid - shipped
  return [
    ...expected('paid', ORDERS, paid),
    ...expected('killed', WORKERS, killed),
    ...expected('lost', losesOrders ? WORKERS : 0, lost),
    ...expected('delivered again', losesOrders ? 0 : WORKERS, again),
  ]
}

/** Prints the steps side by side. Returns whether all behaved as expected. */
export function summarizeShipping(results: readonly ShippingResult[], screen: Screen): boolean {
  screen.say()
  for (const line of table([HEAD, ...results.map(row)])) screen.say(line)
  return results.every(isAsExpected)
}

const HEAD = ['step', 'paid', 'shipped', 'lost', 'delivered again', 'killed', 'verdict']

function row(result: ShippingResult): readonly string[] {
  const { step, shipping } = result
  const { paid, shipped, again, killed } = shipping
  const numbers = [paid, shipped, paid - shipped, again, killed].map(String)
  return [step.name, ...numbers, verdict(result)]
}

function verdict(result: ShippingResult): string {
  if (!isAsExpected(result)) return 'NOT AS EXPECTED'
  return result.step.losesOrders ? 'loses orders, as expected' : 'ships each once, as expected'
}

function isAsExpected({ step, shipping }: ShippingResult): boolean {
  return shippingDeviations(step, shipping).length === 0
}

function expected(what: string, count: number, actual: number): readonly string[] {
  return actual === count ? [] : [`expected ${what} to be ${String(count)}, got ${String(actual)}`]
}
