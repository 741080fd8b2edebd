import type { CommandExecutor } from '../../command/command-executor.js'
import type { Config } from '../../config/config.js'
import { lockHeartbeats, lockQueue, lockTimeouts } from '../../core/names.js'
import { Lease, type RenewalKind } from '../../renewal/lease.js'
import { keepWaiting } from './fair-lock.scripts.js'

type LeaseArguments = ConstructorParameters<typeof Lease>

/** A waiter's place in a queue, which lasts for as long as the waiter says that it is alive. */
export class WaitingLease extends Lease {
  /** Has the waiter check again. */
  readonly wake: () => void

  constructor(facts: LeaseArguments[0] & { readonly wake: () => void }, holder: LeaseArguments[1]) {
    super(facts, holder)
    this.renewed = true
    this.wake = facts.wake
  }
}

/** Keeps the places of the waiters for fair locks, and wakes those whose turn it is, should the message have got lost. */
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
        if (known[index] === 2 && lease instanceof WaitingLease) lease.wake()
      })
      return known.map((answer) => answer > 0)
    },
  }
}

function fairQueueKeys(lock: string): string[] {
  return [lock, lockQueue(lock), lockTimeouts(lock), lockHeartbeats(lock)]
}
