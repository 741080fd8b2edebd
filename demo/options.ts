import { parseArgs } from 'node:util'
import { priceSteps, type PriceStep } from './prices/price-steps.js'
import { shippingSteps, type ShippingStep } from './shipping/shipping-steps.js'
import { steps, type Step } from './steps.js'

/** The steps of each act. */
export interface Acts {
  readonly steps: readonly Step[]
  readonly shipping: readonly ShippingStep[]
  readonly prices: readonly PriceStep[]
}

/** What the demo is to do. */
export type Task =
  | (Acts & { readonly what: 'steps' })
  /** The last step as a load. */
  | { readonly what: 'load'; readonly orders: number }
  | { readonly what: 'help' }

/** More orders would take too long for a demo. */
const MOST_ORDERS = 10_000_000

export const usage = `Usage: npm run demo -- [--only <step>] [--orders <count>]

  --only <step>     one step alone
  --orders <count>  with "--only rlock": this number of orders, as fast as possible
  --help            this text

Steps: ${[...steps, ...shippingSteps, ...priceSteps].map(({ name }) => name).join(', ')}`

/**
 * Reads the command line.
 *
 * @throws Error that says in one line what is wrong with it
 */
export function readOptions(args: readonly string[]): Task {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, orders: { type: 'string' }, help: { type: 'boolean' } },
  })
  const { only, orders, help } = values
  if (help === true) return { what: 'help' }
  if (orders === undefined) return { what: 'steps', ...stepsNamed(only) }
  if (only !== 'rlock') throw new Error('Expected `--orders` together with `--only rlock`')
  return { what: 'load', orders: countOf(orders) }
}

function stepsNamed(name: string | undefined): Acts {
  const isMeant = (step: Step | ShippingStep | PriceStep) => name === undefined || step.name === name
  const chosen = {
    steps: steps.filter(isMeant),
    shipping: shippingSteps.filter(isMeant),
    prices: priceSteps.filter(isMeant),
  }
  if (name !== undefined && Object.values(chosen).every((act) => act.length === 0))
    throw new Error(`Expected \`--only\` to name a step, got "${name}"`)
  return chosen
}

function countOf(text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0 && count <= MOST_ORDERS) return count
  throw new Error(`Expected \`--orders\` to be a number from 1 to ${String(MOST_ORDERS)}, got "${text}"`)
}
