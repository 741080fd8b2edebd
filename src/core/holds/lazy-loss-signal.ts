/**
 * Makes a signal exact: reading whether it is aborted, or why, makes it look first.
 *
 * A timer alone would be late when the event loop was blocked: code that goes on after the block runs before any timer.
 */
export function lazyLossSignal({ signal }: AbortController, look: () => void): AbortSignal {
  return Object.defineProperties(signal, {
    aborted: {
      configurable: true,
      get() {
        look()
        return Reflect.get(AbortSignal.prototype, 'aborted', signal)
      },
    },
    reason: {
      configurable: true,
      get() {
        look()
        return Reflect.get(AbortSignal.prototype, 'reason', signal) as unknown
      },
    },
    throwIfAborted: {
      configurable: true,
      value() {
        look()
        AbortSignal.prototype.throwIfAborted.call(signal)
      },
    },
  })
}
