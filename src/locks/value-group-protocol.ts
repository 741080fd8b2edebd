import type { SyncedResult } from '../command/command-executor.js'
import { lockChannel, requestKey } from '../core/names.js'
import type { Lines } from '../core/lines.js'
import type { ObjectContext } from '../core/object-context.js'
import { Place, WaitingLine } from '../core/waiting-line.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Acquired } from './acquired.js'
import { FREE, passesBy, type Claim, type Inspection, type LockProtocol } from './lock-protocol.js'
import type { Return, Won } from './lock-protocol.js'
import { valueGroupRenewal } from './value-group.renewal.js'
import { acquire, forceRelease, inspect, release, relet, undo } from './value-group.scripts.js'

/** The lines of waiters that this client has, by group and values. */
export type ValueLines = Lines<WaitingLine>

/** All locks of a group share one channel, so each message may be meant for any of those who wait there. */
const wakeAll = (message: string): number => (message === '0' ? Infinity : 0)

/**
 * The wire of some values of a group that are locked as one: Redisson's multi-lock by values.
 *
 * The same owner may hold a value through several sets of values, so no count tells whether a request has run. Every
 * request that counts leaves its answer in Redis.
 */
export class ValueGroupProtocol implements LockProtocol {
  readonly renewal: RenewalKind
  readonly #context: ObjectContext
  readonly #group: string
  readonly #values: string
  readonly #channel: string
  readonly #lines: ValueLines

  constructor(context: ObjectContext, group: string, values: string, lines: ValueLines) {
    this.renewal = valueGroupRenewal(context.executor, group, values)
    this.#context = context
    this.#group = group
    this.#values = values
    this.#channel = lockChannel(group)
    this.#lines = lines
  }

  fieldOf(owner: string): string {
    return owner
  }

  acquire(claim: Claim, request: string, replicas: number): Promise<SyncedResult<Acquired>> {
    const { owner, leaseMs, deadline } = claim
    const call = { keys: { group: this.#group, request }, args: { leaseMs, owner, values: this.#values } }
    return this.#context.executor.runSynced(acquire, call, replicas, { deadline, remember: true })
  }

  async undo({ owner }: Claim, request: string): Promise<void> {
    const args = { owner, values: this.#values, publish: this.#publish }
    const call = { keys: { group: this.#group, channel: this.#channel, request }, args }
    await this.#context.executor.run(undo, call, { remember: true, keep: true })
  }

  release({ owner, leaseMs, request }: Return): Promise<number> {
    const args = { owner, values: this.#values, leaseMs, publish: this.#publish }
    const call = { keys: { group: this.#group, channel: this.#channel, request }, args }
    return this.#context.executor.run(release, call, { remember: true })
  }

  async relet(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: { group: this.#group }, args: { owner, values: this.#values, leaseMs } }
    return (await this.#context.executor.run(relet, call)) === 1
  }

  async forceRelease(): Promise<boolean> {
    const call = { keys: this.#newRequest(), args: { values: this.#values, publish: this.#publish } }
    return (await this.#context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(owner: string): Promise<Inspection> {
    const call = { keys: { group: this.#group }, args: { owner, values: this.#values } }
    const [leftMs, holder, holds] = await this.#context.executor.run(inspect, call)
    return leftMs === -2 ? FREE : { leftMs, holder, holds }
  }

  triesFirst(claim: Claim): boolean {
    return passesBy(claim) || this.#lines.of(this.#line) === undefined
  }

  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const { deadline, signal, leaseMs } = claim
    const waiter = { deadline, signal, attempt, retryNextInMs: () => leaseMs }
    const open = () => new WaitingLine(this.#context, this.#channel, wakeAll)
    return this.#lines.stand(this.#line, open, (line) => line.wait(new Place(), waiter))
  }

  /** What tells those who wait for the same values. */
  get #line(): string {
    return `${this.#group}\n${this.#values}`
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }

  #newRequest() {
    const request = requestKey(this.#group, this.#context.requestIds.next())
    return { group: this.#group, channel: this.#channel, request }
  }
}
