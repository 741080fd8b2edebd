import type { RWorkLimiter, Work, WorkCounts, WorkLimiterSettings, WorkOptions } from './work-limiter.api.js'
import { demandFunction } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandReachable, endOfWaiting } from '../../core/context/still-wanted.js'
import { followed, traced } from '../../core/holds/traced-acquisition.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { showOnly } from '../../util/show-only.js'
import { Compensations } from '../../waiting/compensations.js'
import { WaitQueues } from '../../waiting/wait-queues.js'
import { HeldWork } from './held-work.js'
import { requestOf, settingsOf, type Settings, type WorkRequest } from './settings.js'
import type { Granted } from './waiting-work.js'
import { WorkQueueFullError, WorkTimeoutError } from './work-limiter.errors.js'
import { workRenewal } from './work-limiter.renewal.js'
import { WorkQueue, type CalledQueues } from './work-queue.js'
import { WorkRequests } from './work-requests.js'

/** What the limiters of a client share. */
export class WorkServices {
  readonly context: LockContext
  readonly compensations: Compensations
  readonly renewal: RenewalKind
  /** The functions that wait, by the key of the limiter. */
  readonly queues = new WaitQueues<WorkQueue>()
  readonly called: CalledQueues = new Map()

  constructor(context: LockContext) {
    this.context = context
    this.compensations = new Compensations(context)
    this.renewal = workRenewal(context.ahead)
  }
}

interface WorkLimiterDeps {
  readonly name: string
  readonly key: string
  readonly settings: WorkLimiterSettings
}

/** Runs functions within a concurrency and a rate that all processes share. */
export class RedissonWorkLimiter implements RWorkLimiter {
  static {
    showOnly(this, 'RWorkLimiter', ({ name }) => ({ name }))
    refuseSurplus(this)
  }

  readonly name: string
  readonly #services: WorkServices
  readonly #settings: Settings
  readonly #requests: WorkRequests

  /** @throws `TypeError` or `RangeError` for settings that are none */
  constructor(services: WorkServices, { name, key, settings }: WorkLimiterDeps) {
    this.name = name
    this.#services = services
    this.#settings = settingsOf(settings)
    this.#requests = new WorkRequests(services.context, key, services.compensations)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#services.context.closing]
  }

  async run<T>(fn: (work: Work) => T | PromiseLike<T>, options?: WorkOptions): Promise<T> {
    demandFunction(fn)
    const { context } = this.#services
    const asked = requestOf(this.#settings, options, context.holdWatch?.expect())
    const request = traced(asked, 'work', this.#requests.key)
    const held = await followed(request, this.#obtain(request))
    return await held.run(fn)
  }

  wrap<A extends readonly unknown[], T>(
    fn: (work: Work, ...args: A) => T | PromiseLike<T>,
    options?: WorkOptions,
  ): (...args: A) => Promise<T> {
    demandFunction(fn)
    requestOf(this.#settings, options, undefined)
    return (...args) => this.run((work) => fn(work, ...args), options)
  }

  async counts(): Promise<WorkCounts> {
    const [running, waitingProcesses] = await this.#requests.counts()
    return { running, waitingProcesses, queued: this.#queue?.size ?? 0 }
  }

  async reset(): Promise<boolean> {
    return await this.#requests.reset()
  }

  get #queue(): WorkQueue | undefined {
    return this.#services.queues.of(this.#requests.key)
  }

  /** Waits until a function may begin. What was lost by the clock before that does not count. */
  async #obtain(request: WorkRequest): Promise<HeldWork> {
    for (;;) {
      const granted = await this.#acquire(request)
      const held = await this.#beginWith(granted, request)
      if (held !== undefined) return held
    }
  }

  /**
   * Waits until a function begins in its places. If it does not, they are given back. They are held and renewed from the beginning on: by their end,
   * Redis knows the time that was reserved.
   */
  async #beginWith(granted: Granted, request: WorkRequest): Promise<HeldWork | undefined> {
    let held: HeldWork | undefined
    let mayBegin = false
    try {
      await this.#untilDue(granted, request)
      held = this.#hold(granted, request)
      mayBegin = held.lost === undefined
      if (!mayBegin) this.#services.context.closing.throwIfAborted()
      return mayBegin ? held : undefined
    } finally {
      if (!mayBegin) {
        held?.drop()
        this.#requests.giveBackUnused([granted], request.settings)
      }
    }
  }

  /** Waits for the time that is reserved for a function, if that is still to come. */
  async #untilDue({ due }: Granted, { deadline, signal, waitMs }: WorkRequest): Promise<void> {
    signal?.throwIfAborted()
    const isInTime = due.within(Infinity) <= deadline.within(Infinity)
    const until = isInTime ? due : deadline
    const sleeper = new AutoResetEvent()
    while (!until.passed)
      await sleeper.wait(until.within(Infinity), endOfWaiting(this.#services.context, signal))
    if (!isInTime) throw new WorkTimeoutError(this.name, waitMs)
  }

  async #acquire(request: WorkRequest): Promise<Granted> {
    const { context, queues } = this.#services
    const { deadline, signal, settings } = request
    context.closing.throwIfAborted()
    signal?.throwIfAborted()
    const queued = this.#queue?.size ?? 0
    if (queued >= settings.maxQueued) throw new WorkQueueFullError(this.name, settings.maxQueued)
    const granted =
      request.waitMs > 0 && !deadline.passed
        ? await queues.join(this.#requests.key, this.#open, (queue) => queue.wait(request))
        : await this.#tryOnce(request)
    if (granted !== undefined) return granted
    demandReachable(context)
    throw new WorkTimeoutError(this.name, request.waitMs)
  }

  readonly #open = () => new WorkQueue(this.#services.context, this.#requests, this.#services.called)

  /** Asks once, unless it is known that one waits here that stands before it. */
  async #tryOnce(request: WorkRequest): Promise<Granted | undefined> {
    if (this.#queue?.standsBefore(request.priority) === true) return undefined
    const { granted } = await this.#requests.askOnce(request)
    return granted[0]
  }

  #hold(granted: Granted, request: WorkRequest): HeldWork {
    const { context, renewal } = this.#services
    const giveBack = async () => {
      const waiter = this.#queue?.waiter ?? ''
      const isNext = await this.#requests.giveBack(granted, waiter, request.settings)
      if (isNext) this.#queue?.placeFreed()
    }
    const { key } = this.#requests
    return new HeldWork({ limiter: this.name, key, kind: renewal, request, granted, context, giveBack })
  }
}
