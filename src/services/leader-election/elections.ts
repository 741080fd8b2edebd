import type { LeaderElection, LeaderElectionSettings } from './leader-election.api.js'
import { keyOf, leaseOf } from '../../core/arguments/arguments.js'
import { leaderLock } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { Locks } from '../../locks/locks.js'
import type { Candidate } from './candidate.js'
import { RedissonLeaderElection } from './leader-election.js'

const SETTINGS = known<LeaderElectionSettings>({ leaseMs: true })

/** Makes the elections of a client, and knows where it is a candidate, by any object. */
export class Elections {
  readonly #context: LockContext
  readonly #candidates = new Map<string, Candidate>()

  constructor(context: LockContext) {
    this.#context = context
  }

  get(locks: Locks, name: string, settings: LeaderElectionSettings = {}): LeaderElection {
    demandOptions(settings, SETTINGS)
    const key = leaderLock(keyOf(this.#context, name))
    return new RedissonLeaderElection(this.#context, {
      name,
      key,
      lock: locks.getFencedLock(leaderLock(name), {}, key),
      leaseMs: leaseOf(settings, name),
      candidates: this.#candidates,
    })
  }
}
