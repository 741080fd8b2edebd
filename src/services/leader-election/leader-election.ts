import type { RFencedLock } from '../../locks/fenced/fenced-lock.api.js'
import type { CandidateOptions, LeaderElection, Leadership } from './leader-election.api.js'
import { checkedSignal, demandFunction, flag } from '../../core/arguments/arguments.js'
import type { LockContext } from '../../core/context/object-context.js'
import { known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { endOfWaiting } from '../../core/context/still-wanted.js'
import { ElectionRunningError } from '../../errors/service-errors.js'
import { inspect } from '../../locks/reentrant/lock.scripts.js'
import { showOnly } from '../../util/show-only.js'
import { Candidate } from './candidate.js'
import { CLIENTS } from '../../util/refused-calls.js'

const RUN = known<CandidateOptions>(
  { signal: true, requeue: true },
  { elsewhere: { leaseMs: 'getLeaderElection()' } },
)

/** What an election is made of. */
interface ElectionDeps {
  readonly name: string
  readonly key: string
  readonly lock: RFencedLock
  readonly leaseMs: number | undefined
  /** The candidates of the client, by the keys of their elections. */
  readonly candidates: Map<string, Candidate>
}

/** A fenced lock: its holder leads. */
export class RedissonLeaderElection implements LeaderElection {
  static {
    showOnly(this, 'LeaderElection', ({ name, isLeader }) => ({ name, isLeader }))
    refuseSurplus(this)
  }

  readonly name: string
  readonly #context: LockContext
  readonly #facts: ElectionDeps

  constructor(context: LockContext, facts: ElectionDeps) {
    this.name = facts.name
    this.#context = context
    this.#facts = facts
  }

  get isLeader(): boolean {
    return this.#facts.candidates.get(this.#facts.key)?.isLeader ?? false
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async getLeader(): Promise<string | undefined> {
    const call = { keys: { lock: this.#facts.key }, args: {} }
    const [, owner] = await this.#context.executor.run(inspect, call)
    return owner === '' ? undefined : owner
  }

  async run(fn: (leadership: Leadership) => unknown, options?: CandidateOptions): Promise<void> {
    demandFunction(fn)
    const { requeue: isRequeueing, signal } = optionsOf(options, RUN)
    const requeue = flag('requeue', isRequeueing, true)
    const end = endOfWaiting(this.#context, checkedSignal(signal))
    this.#context.closing.throwIfAborted()
    const { key, lock, leaseMs, candidates } = this.#facts
    if (candidates.has(key)) throw new ElectionRunningError(this.name)
    const candidate = new Candidate({ lock, leaseMs, requeue, fn, end })
    candidates.set(key, candidate)
    try {
      await candidate.compete()
    } finally {
      candidates.delete(key)
    }
  }
}
