import type { AdderWaitOptions, RAdder } from './adder.api.js'
import type { Decoder } from '../../command/operation/replies.js'
import { patienceOf, type Patience } from '../../core/arguments/arguments.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { AdderDestroyedError } from '../shared/counter.errors.js'
import { showOnly } from '../../util/show-only.js'
import { additionRefused } from '../shared/addition-failure.js'
import { inquire, type Inquiry } from './inquiry.js'
import type { Tallies } from './tallies.js'
import { Share, type AdderKind, type Tally } from './tally.js'

const WAIT = known<AdderWaitOptions>({ waitMs: true, signal: true })

/** How long Redisson waits, in milliseconds. */
const WAIT_MS = 60_000

/** What Redis writes of the sums of each kind. */
const NUMBERS = { incrby: /^-?\d+$/, incrbyfloat: /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i } as const

/** What an adder is made of. */
export interface AdderDeps<N, V, S> {
  readonly context: LockContext
  readonly name: string
  readonly tallies: Tallies
  readonly kind: AdderKind<V, S>
  /** Checks a number that the program adds. */
  readonly check: (name: string, value: N) => V
  readonly one: V
  readonly minusOne: V
  /** Reads the sum as the program has it. */
  readonly read: Decoder<N>
}

/** A sum for which no client has been asked yet. */
interface UnaskedSum<V, S> {
  /** What this client had added when its round began. */
  readonly own: Tally<V, S> | undefined
  readonly sum: Promise<Buffer>
  /** That of the caller who began. */
  readonly patience: Patience
}

/** An adder as the program has it: its share of what the client has added under its name. */
export class RedissonAdder<N extends number | bigint, V, S> extends RedissonExpirable implements RAdder<N> {
  static {
    showOnly(this, 'RAdder', ({ name }) => ({ name }))
    refuseSurplus(this, {
      add: 'each call adds one number',
      increment: 'add() adds another number than 1',
      decrement: 'add() adds another number than -1',
    })
  }

  readonly #deps: AdderDeps<N, V, S>
  #share: Share<V, S> | undefined
  #unasked: UnaskedSum<V, S> | undefined
  #isDestroyed = false

  constructor(deps: AdderDeps<N, V, S>) {
    super(deps.context, deps.name)
    this.#deps = deps
  }

  add(value: N): void {
    this.#add(this.#deps.check('value', value))
  }

  increment(): void {
    this.#add(this.#deps.one)
  }

  decrement(): void {
    this.#add(this.#deps.minusOne)
  }

  async sum(options?: AdderWaitOptions): Promise<N> {
    const sum = await this.#inquire('sum', options)
    const text = sum.toString()
    if (NUMBERS[this.#deps.kind.command].test(text)) return this.#deps.read(sum)
    throw additionRefused(new Error(text), this.name)
  }

  async reset(options?: AdderWaitOptions): Promise<void> {
    await this.#inquire('reset', options)
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true
    this.#share?.end()
    this.#share = undefined
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy()
  }

  /** No key holds an adder, and so whatever has its name is another object. */
  protected override get kind(): ObjectKind {
    return 'none'
  }

  #add(value: V): void {
    const { context, tallies, kind, name } = this.#deps
    context.closing.throwIfAborted()
    this.#demandNotDestroyed()
    this.#share ??= new Share({ name, kind }, tallies.open(this.key, name, kind))
    this.#share.add(value)
  }

  async #inquire(what: Inquiry['what'], options: AdderWaitOptions = {}): Promise<Buffer> {
    demandOptions(options, WAIT)
    const patience = patienceOf(options, WAIT_MS)
    this.#demandNotDestroyed()
    const isUsual = options.waitMs === undefined && options.signal === undefined
    return await (what === 'sum' && isUsual ? this.#sharedSum(patience) : this.#ask(what, patience))
  }

  /**
   * One round for all calls that begin before any client is asked, so that it has all that was added before each of them: unless this client
   * has begun to add meanwhile, for which the round would not wait.
   */
  #sharedSum(patience: Patience): Promise<Buffer> {
    const shared = this.#unasked
    const own = this.#own()
    if (shared !== undefined && shared.own === own) return this.#join(shared, patience)
    const forget = () => {
      if (this.#unasked === begun) this.#unasked = undefined
    }
    const begun = { own, patience, sum: this.#ask('sum', patience, forget).finally(forget) }
    this.#unasked = begun
    return begun.sum
  }

  /** A caller that came later goes on when the one who began can wait no longer. */
  async #join({ sum, patience: first }: UnaskedSum<V, S>, patience: Patience): Promise<Buffer> {
    try {
      return await sum
    } catch (error) {
      if (!first.deadline.passed || patience.deadline.passed) throw error
      return await this.#sharedSum(patience)
    }
  }

  #ask(what: Inquiry['what'], patience: Patience, onAsking?: () => void): Promise<Buffer> {
    const { context, name } = this.#deps
    return inquire({ context, name, key: this.key, what, patience, onAsking, own: () => this.#own() })
  }

  /** What this client has added under the name; undefined where that is nothing. */
  #own(): Tally<V, S> | undefined {
    const { tallies, kind, name } = this.#deps
    return tallies.find(this.key, name, kind)
  }

  #demandNotDestroyed(): void {
    if (this.#isDestroyed) throw new AdderDestroyedError(this.name)
  }
}
