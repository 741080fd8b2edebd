import type { AwaitOptions, RCountDownLatch } from './count-down-latch.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { patienceOf, wholeNumber, type Patience } from '../../core/arguments/arguments.js'
import { latchChannel, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { optionsOf, known, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonObject, type ObjectKind, type WakeUp } from '../../core/redisson-object.js'
import { demandReachable, demandStillWanted } from '../../core/context/still-wanted.js'
import { followed, traced } from '../../core/holds/traced-acquisition.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { showOnly } from '../../util/show-only.js'
import { count, countDown, trySetCount } from './count-down-latch.scripts.js'
import type { LatchWatchers } from './latch-watchers.js'

/** What a latch is made of. */
interface LatchDeps {
  readonly context: LockContext
  readonly name: string
  /** The waiters of this process. */
  readonly watchers: LatchWatchers
}

const AWAIT = known<AwaitOptions>({ waitMs: true, signal: true }, { shortForm: 'a number of milliseconds' })

/** A number in Redis that is gone when it has become zero. */
export class RedissonCountDownLatch extends RedissonObject implements RCountDownLatch {
  static {
    showOnly(this, 'RCountDownLatch', ({ name }) => ({ name }))
    refuseSurplus(this, {
      countDown: 'it counts down by one',
    })
  }

  readonly #context: LockContext
  readonly #watchers: LatchWatchers

  constructor({ context, name, watchers }: LatchDeps) {
    super(context, name)
    this.#context = context
    this.#watchers = watchers
  }

  async trySetCount(number: number): Promise<boolean> {
    const args = { count: wholeNumber('count', number, 0) }
    return (await this.executor.run(trySetCount, { keys: this.#keys(), args }, { remember: true })) === 1
  }

  async countDown(): Promise<void> {
    const call = { keys: this.#keys(), args: {} }
    await this.executor.run(countDown, call, { remember: true })
  }

  async await(options?: number | AwaitOptions): Promise<boolean> {
    const given = optionsOf(typeof options === 'number' ? { waitMs: options } : options, AWAIT)
    const patience = traced(patienceOf(given, Infinity), 'latch', this.key)
    return await followed(patience, this.#wait(patience))
  }

  async getCount(): Promise<number> {
    return await this.#count()
  }

  protected override get kind(): ObjectKind {
    return 'number'
  }

  /** The message of a new count, at which the waiters look at it. */
  protected override wakeUpOf(key: string): WakeUp {
    return { channel: this.#channelOf(key), message: '1' }
  }

  async #wait(patience: Patience): Promise<boolean> {
    const { signal, deadline, trace } = patience
    const endOfWaiting = this.#context.closing
    demandStillWanted(this.#context, signal)
    trace?.attempt()
    if ((await raceAbort(this.#count({ replyBy: deadline, endOfWaiting }), signal)) === 0) return true
    if (deadline.passed) return false
    const isOpen = async () => (await this.#count({ endOfWaiting })) === 0
    const target = { key: this.key, channel: this.#channelOf(this.key), isOpen }
    const opened = await this.#watchers.wait(target, patience)
    if (opened) return true
    demandReachable(this.#context)
    // The process may have stood still, and not have seen what came meanwhile.
    return (
      deadline.passedLongAgo &&
      (await raceAbort(this.#count({ replyBy: deadline, endOfWaiting }), signal)) === 0
    )
  }

  #count(options?: RunOptions): Promise<number> {
    return this.executor.run(count, { keys: { latch: this.key }, args: {} }, options)
  }

  #channelOf(key: string): string {
    const { topology } = this.#context
    return latchChannel(key, (each) => topology.slotOf(each))
  }

  #keys() {
    const request = idempotencyKey(this.key, this.#context.requestIds.next())
    return { latch: this.key, channel: this.#channelOf(this.key), request }
  }
}
