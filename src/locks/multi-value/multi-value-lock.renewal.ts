import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { renew } from './multi-value-lock.scripts.js'

/** Renews what owners hold of certain values of one group, owner by owner. */
export function multiValueRenewal(executor: CommandExecutor, group: string, values: string): RenewalKind {
  return {
    name: 'value-group',
    async renew(leases, leaseMs, deadline) {
      const held = leases.map(({ owner }) =>
        executor.run(renew, { keys: { group }, args: { owner, values, leaseMs } }, { deadline }),
      )
      return (await Promise.all(held)).map((answer) => answer === 1)
    },
  }
}
