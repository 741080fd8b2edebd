import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { real } from '../real.js'
import { activeSimulation } from '../simulation.js'
import { replaceBy, type Replacement } from './replacement.js'
import { Immediate, Timer, timerOf, type Callback } from './timer.js'
import * as promises from './timers-promises.js'

/** Replaces the timers of the globals, of `node:timers` and of `node:timers/promises`. */
export function timerReplacements(): readonly Replacement[] {
  const functions = Object.entries({
    setTimeout,
    clearTimeout: clear(real.clearTimeout),
    setInterval,
    clearInterval: clear(real.clearInterval),
    setImmediate,
    clearImmediate,
  })
  return [
    ...functions.map(([name, value]) => replaceBy(globalThis, name, value)),
    ...functions.map(([name, value]) => replaceBy(timers, name, value)),
    ...Object.entries(promises).map(([name, value]) => replaceBy(timersPromises, name, value)),
  ]
}

function setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): unknown {
  const simulation = activeSimulation()
  if (simulation === undefined)
    return real.setTimeout(callback as Callback, delay as number | undefined, ...args)
  return new Timer(simulation.clock, callable(callback), args, delay, 'once')
}

function setInterval(callback: unknown, delay?: unknown, ...args: unknown[]): unknown {
  const simulation = activeSimulation()
  if (simulation === undefined)
    return real.setInterval(callback as Callback, delay as number | undefined, ...args)
  return new Timer(simulation.clock, callable(callback), args, delay, 'again')
}

function setImmediate(callback: unknown, ...args: unknown[]): unknown {
  const simulation = activeSimulation()
  if (simulation === undefined) return real.setImmediate(callback as Callback, ...args)
  return new Immediate(simulation.clock, callable(callback), args)
}

Object.defineProperty(setTimeout, promisify.custom, { value: promises.setTimeout })
Object.defineProperty(setImmediate, promisify.custom, { value: promises.setImmediate })

/** A handle may be older than the simulation. */
function clear(clearReal: (handle: NodeJS.Timeout) => void): (handle: unknown) => void {
  return (handle) => {
    const timer = timerOf(handle)
    if (timer !== undefined) timer.close()
    else clearReal(handle as NodeJS.Timeout)
  }
}

function clearImmediate(handle: unknown): void {
  if (handle instanceof Immediate) handle.close()
  else real.clearImmediate(handle as NodeJS.Immediate)
}

function callable(callback: unknown): Callback {
  if (typeof callback === 'function') return callback as Callback
  const error = new TypeError('The "callback" argument must be of type function')
  throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}
