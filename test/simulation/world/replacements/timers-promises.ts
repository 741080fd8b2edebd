import type { TimerOptions } from 'node:timers'
import timersPromises from 'node:timers/promises'
import { activeSimulation, type Simulation } from '../simulation.js'
import { Immediate, Timer, type Callback } from './timer.js'

const realPromises = { ...timersPromises }

/** Replaces `setTimeout` of `node:timers/promises`. */
export function setTimeout<T>(delay?: number, value?: T, options: TimerOptions = {}): Promise<T> {
  const simulation = activeSimulation()
  if (simulation === undefined) return realPromises.setTimeout<T>(delay, value, options)
  return settled(options, value as T, (resolve) => {
    const timer = new Timer(simulation.clock, resolve, [], delay, 'once')
    if (options.ref === false) timer.unref()
    return timer
  })
}

/** Replaces `setImmediate` of `node:timers/promises`. */
export function setImmediate<T>(value?: T, options: TimerOptions = {}): Promise<T> {
  const simulation = activeSimulation()
  if (simulation === undefined) return realPromises.setImmediate<T>(value, options)
  return settled(options, value as T, (resolve) => {
    const immediate = new Immediate(simulation.clock, resolve, [])
    if (options.ref === false) immediate.unref()
    return immediate
  })
}

/** Replaces `setInterval` of `node:timers/promises`. */
export function setInterval<T>(delay?: number, value?: T, options: TimerOptions = {}): AsyncIterable<T> {
  const simulation = activeSimulation()
  if (simulation === undefined) return realPromises.setInterval<T>(delay, value, options)
  return ticks(simulation, delay, value as T, options)
}

/** Replaces `scheduler` of `node:timers/promises`. */
export const scheduler = {
  wait: (delay: number, options?: TimerOptions): Promise<void> => setTimeout(delay, undefined, options),
  yield: (): Promise<void> => setImmediate(),
}

/** What ends something that was started. */
interface Closable {
  close(): unknown
}

/** Resolves with a value when what was started calls back; rejects and closes it when the signal aborts. */
function settled<T>({ signal }: TimerOptions, value: T, start: (resolve: Callback) => Closable): Promise<T> {
  if (signal?.aborted === true) return Promise.reject(abortError(signal))
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const begun = start(() => {
    signal?.removeEventListener('abort', abort)
    resolve(value)
  })
  const abort = () => {
    begun.close()
    reject(abortError(signal))
  }
  signal?.addEventListener('abort', abort, { once: true })
  return promise
}

/** Ticks that were not taken yet are taken one after the other. */
async function* ticks<T>(
  { clock }: Simulation,
  delay: number | undefined,
  value: T,
  { signal, ref = true }: TimerOptions,
): AsyncGenerator<T, void, void> {
  if (signal?.aborted === true) throw abortError(signal)
  let due = 0
  let wake = Promise.withResolvers<void>()
  const rouse = () => {
    due += 1
    wake.resolve()
  }
  const timer = new Timer(clock, rouse, [], delay, 'again')
  if (!ref) timer.unref()
  signal?.addEventListener('abort', wakeUp)
  function wakeUp(): void {
    wake.resolve()
  }
  try {
    for (;;) {
      if (due === 0) await wake.promise
      if (isAborted(signal)) throw abortError(signal)
      wake = Promise.withResolvers()
      for (; due > 0; due -= 1) yield value
    }
  } finally {
    timer.close()
    signal?.removeEventListener('abort', wakeUp)
  }
}

/** As a function, because the compiler takes a signal for unchanged while something is awaited. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** What Node rejects with. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error('The operation was aborted', { cause: signal?.reason })
  error.name = 'AbortError'
  return Object.assign(error, { code: 'ABORT_ERR' })
}
