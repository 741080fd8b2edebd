import type { RedissonEvents } from '../api/events.js'
import type { BatchOptions, BatchResults, RBatch } from '../services/batch/batch.api.js'
import type {
  PingOptions,
  RedissonClient,
  RunAsThreadOptions,
  ShutdownOptions,
} from '../api/redisson-client.js'
import { checkedSignal, demandFunction, flag, milliseconds } from '../core/arguments/arguments.js'
import { demandOptions, known, optionsOf, refuseSurplus } from '../core/arguments/options.js'
import { Deadline } from '../util/time/deadline.js'
import { BRAND } from '../util/brand.js'
import { inspectShort, inspectWord } from '../util/inspect-short.js'
import { demandAllowed } from '../util/refused-calls.js'
import { showOnly } from '../util/show-only.js'
import { runBatch, type BatchDeps } from '../services/batch/batch.js'
import { batchObjects } from './batch-objects.js'
import { Objects } from './objects.js'
import type { Runtime } from './runtime.js'
import type { Complete } from '../util/option-types.js'

const PING = known<PingOptions>({ signal: true })

const RUN_AS_THREAD = known<RunAsThreadOptions>({ threadId: true })

const EVENTS: Readonly<Record<keyof RedissonEvents, true>> = {
  connected: true,
  disconnected: true,
  reconnected: true,
  lockLost: true,
  releaseDelayed: true,
}

/** Refuses events that never happen: a listener to them has mistaken the name. */
function demandEvent(event: unknown): void {
  if (typeof event === 'string' && Object.hasOwn(EVENTS, event)) return
  const names = Object.keys(EVENTS).join(', ')
  const advice =
    event === ERROR
      ? '. A client has no such event: connection errors come by `disconnected`, others by the call. ' +
        "Node's events.on() asks for it as well: use client.on()"
      : ''
  throw new RangeError(`Expected \`event\` to be one of ${names}, got ${inspectWord(event)}${advice}`)
}

/** Many listen to it by habit. Node's `events.once()` does so with any emitter, and is let do it for nothing. */
const ERROR = 'error'

/** One client as the program sees it: its objects, its events, its end. */
export class Client extends Objects implements RedissonClient {
  static {
    showOnly(this, 'RedissonClient', ({ id }) => ({ id }))
    refuseSurplus(this, {
      on: 'once() listens until it has happened, and off() ends it',
      off: 'it removes one listener',
      once: 'once() listens until it has happened, and off() ends it',
      removeListener: 'it removes one listener',
      listenerCount: 'it counts the listeners of one event',
    })
  }

  readonly id: string
  readonly #runtime: Runtime
  #shutdown: Promise<void> | undefined

  constructor(runtime: Runtime) {
    super(runtime)
    this.id = runtime.context.owners.clientId
    this.#runtime = runtime
  }

  get [BRAND](): true {
    return true
  }

  get isConnected(): boolean {
    return this.#runtime.isConnected
  }

  async ping(options?: PingOptions): Promise<number> {
    const { signal } = optionsOf(options, PING)
    const { closing, masters } = this.#runtime.context
    demandAllowed(closing, 'ping()')
    closing.throwIfAborted()
    const startedAt = performance.now()
    await masters.ping({ signal: checkedSignal(signal), replyBy: Deadline.after(0) }) // which means: once
    return performance.now() - startedAt
  }

  async runAsThread<T>(fn: () => T | PromiseLike<T>, options?: RunAsThreadOptions): Promise<T> {
    this.#runtime.context.closing.throwIfAborted()
    demandFunction(fn)
    const { threadId } = optionsOf(options, RUN_AS_THREAD)
    const { owners } = this.#runtime.context
    const thread = threadId === undefined ? owners.newThread() : owners.named(threadId)
    return await owners.run(owners.openScope(thread), fn)
  }

  batch<const R extends readonly unknown[]>(
    fn: (batch: RBatch) => R,
    options?: BatchOptions & { readonly skipResult?: false },
  ): Promise<BatchResults<R>>
  batch(
    fn: (batch: RBatch) => undefined | readonly unknown[],
    options: BatchOptions & { readonly skipResult: true },
  ): Promise<void>
  async batch(fn: (batch: never) => unknown, options?: BatchOptions): Promise<unknown> {
    const { context, shared } = this.#runtime
    const deps: BatchDeps = {
      context,
      collect: (run) => this.#runtime.batch(run),
      objectsOf: (batchContext, calls) => batchObjects(batchContext, calls, shared),
    }
    return await runBatch(deps, fn, options)
  }

  on<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    demandEvent(event)
    demandFunction(listener, 'listener')
    this.#runtime.context.events.on(event, listener)
    return this
  }

  off<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    demandEvent(event)
    demandFunction(listener, 'listener')
    this.#runtime.context.events.off(event, listener)
    return this
  }

  once<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    demandFunction(listener, 'listener')
    if ((event as string) === ERROR) return this
    demandEvent(event)
    this.#runtime.context.events.once(event, listener)
    return this
  }

  /** What Node's `events.once()` calls when its signal aborts. */
  removeListener<K extends keyof RedissonEvents>(
    event: K,
    listener: (event: RedissonEvents[K]) => void,
  ): this {
    return (event as string) === ERROR ? this : this.off(event, listener)
  }

  listenerCount(event: keyof RedissonEvents): number {
    demandEvent(event)
    return this.#runtime.context.events.listenerCount(event)
  }

  shutdown(options?: ShutdownOptions): Promise<void> {
    if (this.#shutdown !== undefined) return this.#shutdown
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    try {
      const checked = checkedShutdown(options)
      this.#shutdown = promise // before a listener of the program can call this once more
      resolve(this.#runtime.close(checked))
    } catch (error) {
      reject(error)
    }
    return promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown()
  }
}

const SHUTDOWN = known<ShutdownOptions>({ drainMs: true, release: true })

function checkedShutdown(options: ShutdownOptions = {}): Complete<ShutdownOptions> {
  demandOptions(options, SHUTDOWN)
  const { drainMs = 0 } = options
  if (milliseconds('drainMs', drainMs) < 0)
    throw new RangeError(`Expected \`drainMs\` to be 0 milliseconds or more, got ${inspectShort(drainMs)}`)
  return { drainMs, release: flag('release', options.release) }
}
