import type { DeliveryRate, ReliableQueueOptions } from './reliable-queue.api.js'
import { demandAtMost, keyOf, milliseconds, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { reliableQueueRates } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { CrossSlotError } from '../../errors/client-errors.js'

const RATE = known<DeliveryRate>({ limit: true, perMs: true, burst: true })

/** The longest time of a rate, in milliseconds: ten years. */
const LONGEST_MS = 3.2e11

/** The highest number of deliveries in a rate: with it, moments are exact to less than a microsecond. */
const HIGHEST_LIMIT = 1e6

/** How many deliveries may begin in a time, as the script takes it. */
export interface DeliveryRates {
  /** The limits as a text; empty for none. */
  readonly rate: string
  /** The key under which they are counted; undefined for that of the queue. */
  readonly sharedRates: string | undefined
}

const NO_RATES: DeliveryRates = { rate: '', sharedRates: undefined }

type RateOption = 'rate' | 'groupRate' | 'groupConcurrency' | 'sharedRates'
type RateOptions = { readonly [K in RateOption]: ReliableQueueOptions<never>[K] | undefined }

/** @throws TypeError or RangeError for limits that make no sense */
export function deliveryRates(context: ObjectContext, name: string, options: RateOptions): DeliveryRates {
  const { rate, groupRate, groupConcurrency, sharedRates } = options
  if (rate === undefined && groupRate === undefined) {
    if (sharedRates === undefined) return NO_RATES
    throw new TypeError('Expected `rate` or `groupRate` beside `sharedRates`')
  }
  if (groupRate !== undefined && groupConcurrency === undefined)
    throw new TypeError('Expected `groupConcurrency` beside `groupRate`')
  const limits = [limitOf('rate', rate), limitOf('groupRate', groupRate)]
  const isShared = sharedRates !== undefined
  return {
    rate: [...limits, isShared ? 1 : 0].join(' '),
    sharedRates: isShared ? sharedKeyOf(context, name, sharedRates) : undefined,
  }
}

/** The milliseconds from one to the next, and how many may begin at the same moment. */
function limitOf(name: string, given: DeliveryRate | undefined): string {
  if (given === undefined) return '0 0'
  demandOptions(given, RATE, `\`${name}\``)
  const limit = deliveries(`${name}.limit`, given.limit)
  const perMs = milliseconds(`${name}.perMs`, given.perMs)
  if (!(perMs >= 1)) throw new RangeError(`Expected \`${name}.perMs\` to be at least 1, got ${perMs}`)
  demandAtMost(`${name}.perMs`, perMs, LONGEST_MS)
  const burst = given.burst === undefined ? limit : deliveries(`${name}.burst`, given.burst)
  return `${perMs / limit} ${burst}`
}

function deliveries(name: string, count: number): number {
  if (wholeNumber(name, count, 1) <= HIGHEST_LIMIT) return count
  throw new RangeError(`Expected \`${name}\` to be at most ${HIGHEST_LIMIT}, got ${count}`)
}

/** @throws {@link CrossSlotError} if it belongs to another slot of the cluster than the queue */
function sharedKeyOf(context: ObjectContext, name: string, sharedRates: string): string {
  const { topology } = context
  const queue = keyOf(context, name)
  const shared = keyOf(context, sharedRates)
  if (topology.slotOf(shared) !== topology.slotOf(queue)) throw new CrossSlotError(sharedRates, shared, queue)
  return reliableQueueRates(shared)
}
