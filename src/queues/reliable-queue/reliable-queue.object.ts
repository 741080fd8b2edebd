import type { QueueObjects } from '../queues.api.js'
import type { ReliableQueueOptions } from './reliable-queue.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { optionsOf, known } from '../../core/arguments/options.js'
import type { Factory } from '../../core/context/factories.js'
import { deliveryRates } from './delivery-rates.js'
import { mostDeliveries } from './offer-options.js'
import { DeliveryServices, type QueueLimits } from './queue-core.js'
import { RedissonReliableQueue } from './reliable-queue.js'

const OPTIONS = known<ReliableQueueOptions<unknown>>(
  {
    codec: true,
    validate: true,
    exactlyOnce: true,
    capacity: true,
    maxDeliveries: true,
    groupConcurrency: true,
    rate: true,
    groupRate: true,
    sharedRates: true,
  },
  {
    elsewhere: {
      concurrency: 'process() and consume()',
      retryDelayMs: 'process()',
      visibilityMs: 'poll(), consume() and process()',
    },
  },
)

const MAX_DELIVERIES = 10

/** How a client and a batch make one. */
export const getReliableQueue: Factory<QueueObjects['getReliableQueue']> = (
  { context, shared },
  name,
  options,
) => {
  const { capacity, maxDeliveries, groupConcurrency, rate, groupRate, sharedRates, ...values } = optionsOf(
    options,
    OPTIONS,
  )
  const limits: QueueLimits = {
    capacity: capacity === undefined ? 0 : wholeNumber('capacity', capacity, 1),
    maxDeliveries: mostDeliveries(maxDeliveries ?? MAX_DELIVERIES),
    places: groupConcurrency === undefined ? 0 : wholeNumber('groupConcurrency', groupConcurrency, 1),
    ...deliveryRates(context, name, { rate, groupRate, groupConcurrency, sharedRates }),
  }
  const settings = valueSettings(values, context)
  return new RedissonReliableQueue(context, name, settings, limits, () => shared.get(DeliveryServices))
}
