import type { QueueObjects } from '../queues.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { Receivers } from '../blocking-queue/receivers.js'
import { Returns } from '../blocking-queue/returns.js'
import { Consumers } from './consumers.js'
import { RedissonTransferQueue } from './transfer-queue.js'
import { Transfers } from './transfers.js'

/** Nothing gets to a transfer queue later. */
const NO_DELAYS = { watch: () => () => undefined }

/** How a client and a batch make one. */
export const getTransferQueue: Factory<QueueObjects['getTransferQueue']> = (
  { context, shared },
  name,
  options,
) => {
  const consumers = () => shared.get(Consumers)
  const services = {
    calls: {
      get waiters() {
        return consumers()
      },
      receivers: shared.get(Receivers),
      returns: shared.get(Returns),
      delays: NO_DELAYS,
    },
    consumers,
    transfers: () => shared.get(Transfers),
  }
  return new RedissonTransferQueue(context, name, valueSettings(options, context), services)
}
