import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { reliableQueueKeys } from '../../core/context/names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { heldKey, type HeldDelivery } from './held-delivery.js'
import { renew } from './reliable-queue.scripts.js'

/**
 * Renews deliveries. The owner of such a lease is the delivery itself. One whose message was cancelled is told so, and lasts as long as its worker was
 * given.
 *
 * @param held - all deliveries of the client
 */
export function deliveryRenewal(
  executor: CommandExecutor,
  held: ReadonlyMap<string, HeldDelivery>,
): RenewalKind {
  return {
    name: 'delivery',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const keys = leases.flatMap(({ name }) => {
        const { leases: all, facts } = reliableQueueKeys(name)
        return [all, facts]
      })
      const args = { leaseMs, deliveries: leases.map(({ owner }) => owner) }
      const sentAt = performance.now()
      const replies = await executor.run(
        renew,
        { keys: { keys }, args },
        { deadline, divisible: leases.length > 1 },
      )
      return replies.map((reply, index) => {
        if (typeof reply === 'boolean') return reply
        const { name, owner } = leases[index] as (typeof leases)[number]
        held.get(heldKey(name, owner))?.cancel(reply.reason, { leftMs: reply.leftMs, sentAt })
        return true
      })
    },
  }
}
