import { callSafely } from './call-safely.js'
import { Emitter } from './emitter.js'
import { inspectShort, inspectWord } from './inspect-short.js'

/** The emitter of a subscription. It checks what programs add, and no error is lost for want of a listener. */
export class SubscriptionEmitter<E extends { error: Error }> extends Emitter<E> {
  readonly #names: readonly string[]

  /** @param names - of all its events */
  constructor(...names: readonly (keyof E & string)[]) {
    super()
    this.#names = names
  }

  /** @throws RangeError for an event that never happens; TypeError for what is no function */
  override on<K extends keyof E & string>(name: K, listener: (event: E[K]) => void): void {
    this.#demandListener(name, listener)
    super.on(name, listener)
  }

  /** @throws RangeError for an event that never happens; TypeError for what is no function */
  override once<K extends keyof E & string>(name: K, listener: (event: E[K]) => void): void {
    this.#demandListener(name, listener)
    super.once(name, listener)
  }

  /** @throws RangeError for an event that never happens; TypeError for what is no function */
  override off<K extends keyof E & string>(name: K, listener: (event: E[K]) => void): void {
    this.#demandListener(name, listener)
    super.off(name, listener)
  }

  get isHeard(): boolean {
    return this.listenerCount('error') > 0
  }

  /** Emits what a function of the program has thrown. Without a listener it surfaces as the error of any callback would. */
  emitOrThrow(error: unknown): void {
    callSafely(() => {
      if (!this.isHeard) throw error
      this.emit('error', error as E['error'])
    })
  }

  /** Emits an error. Without a listener it is a warning of the process. */
  emitOrWarn(error: Error): void {
    if (this.isHeard) this.emit('error', error)
    else process.emitWarning(error)
  }

  #demandListener(name: unknown, listener: unknown): void {
    if (!this.#names.includes(name as string))
      throw new RangeError(`Expected \`event\` to be ${this.#names.join(' or ')}, got ${inspectWord(name)}`)
    if (typeof listener !== 'function')
      throw new TypeError(`Expected \`listener\` to be a function, got ${inspectShort(listener)}`)
  }
}
