import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { Config } from '../../config/config.js'
import { lockHeartbeats, lockQueue, lockTimeouts } from '../../core/context/names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { keepWaiting } from './fair-lock.scripts.js'

/** Renews the places of the waiters for fair locks, and wakes those whose turn it is, in case the message was lost. */
export function waiterRenewal(executor: CommandExecutor, config: Config): RenewalKind {
  return {
    name: 'fair-lock-waiter',
    async renew(leases, aliveMs, deadline) {
      const call = {
        keys: { places: leases.flatMap(({ name }) => fairQueueKeys(name)) },
        args: {
          aliveMs,
          foreignWaitMs: config.fairLockWaitTimeoutMs,
          owners: leases.map(({ owner }) => owner),
        },
      }
      const known = await executor.run(keepWaiting, call, { deadline })
      leases.forEach((lease, index) => {
        if (known[index] === 2) lease.call()
      })
      return known.map((answer) => answer > 0)
    },
  }
}

function fairQueueKeys(lock: string): string[] {
  return [lock, lockQueue(lock), lockTimeouts(lock), lockHeartbeats(lock)]
}
