import { isDate } from 'node:util/types'
import type { Once, OnceOptions, OnceResult, OnceRetry, OnceRun, OnceSettings } from './once.api.js'
import { SHORT_LEASE_MS } from '../../errors/lease-ended.js'
import { warnOnce } from '../../util/warn-once.js'
import { checkedSignal, demandFunction, lifeTime } from '../../core/arguments/arguments.js'
import { demandOptions, known, refuseSurplus } from '../../core/arguments/options.js'
import { showOnly } from '../../util/show-only.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import type { MarkRequest, Marks } from './marks.js'
import { CLIENTS } from '../../util/refused-calls.js'

const SETTINGS = known<OnceSettings>({ ttlMs: true }, { shape: '{ ttlMs: 60_000 }' })

const RUN = known<OnceOptions>(
  { fire: true, retry: true, signal: true },
  { elsewhere: { ttlMs: 'getOnce()' } },
)

const RETRIES: Readonly<Record<OnceRetry, Pick<MarkRequest, 'onError' | 'onCrash'>>> = {
  onError: { onError: true, onCrash: false },
  onCrash: { onError: false, onCrash: true },
  both: { onError: true, onCrash: true },
}

const NEVER = { onError: false, onCrash: false }

/** Runs a function unless a mark in Redis says that this has been done. */
export class RedissonOnce implements Once {
  static {
    showOnly(this, 'Once', ({ name }) => ({ name }))
    refuseSurplus(this)
  }

  readonly name: string
  readonly #key: string
  readonly #marks: Marks
  readonly #ttlMs: number

  constructor(marks: Marks, { name, key, settings }: OnceDeps) {
    demandOptions(settings, SETTINGS)
    this.name = name
    this.#key = key
    this.#marks = marks
    this.#ttlMs = lifeTime(settings.ttlMs)
    if (this.#ttlMs < SHORT_LEASE_MS) {
      const message = `The runs of ${name} are to be remembered for ${this.#ttlMs} ms: ttlMs is in milliseconds.`
      warnOnce('REDISSON_SHORT_LEASE', 'ttlMs', message) // once for all names: there may be one for each run
    }
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#marks.client]
  }

  async run<T>(fn: (run: OnceRun) => T | PromiseLike<T>, options?: OnceOptions): Promise<OnceResult<T>> {
    demandFunction(fn)
    const request = this.#requestOf(options)
    const mark = await this.#marks.set(request)
    return mark === undefined ? { ran: false } : { ran: true, value: await mark.run(fn, request.signal) }
  }

  #requestOf(options: OnceOptions = {}): MarkRequest {
    demandOptions(options, RUN)
    const { fire, retry, signal } = options
    return {
      once: this.name,
      key: this.#key,
      fire: fire === undefined ? undefined : fireOf(fire),
      ttlMs: this.#ttlMs,
      ...retriesOf(retry),
      signal: checkedSignal(signal),
    }
  }
}

interface OnceDeps {
  readonly name: string
  readonly key: string
  readonly settings: OnceSettings
}

/** What a run is for, in a word without colons and braces. */
function fireOf(fire: unknown): string {
  const ms = isDate(fire) ? Date.prototype.getTime.call(fire) : fire
  if (Number.isSafeInteger(ms)) return String(ms)
  if (typeof fire === 'string' && fire !== '' && fire.isWellFormed()) return encodeURIComponent(fire)
  throw new RangeError(
    'Expected `fire` to be a Date, a whole number of milliseconds since 1970, or a non-empty string without lone surrogates, ' +
      `got ${inspectShort(fire)}`,
  )
}

function retriesOf(retry: unknown): Pick<MarkRequest, 'onError' | 'onCrash'> {
  if (retry === undefined) return NEVER
  if (typeof retry === 'string' && Object.hasOwn(RETRIES, retry)) return RETRIES[retry as OnceRetry]
  throw new RangeError(`Expected \`retry\` to be 'onError', 'onCrash' or 'both', got ${inspectWord(retry)}`)
}
