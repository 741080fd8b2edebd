import crypto from 'node:crypto'
import timers from 'node:timers'

/** The clock of the machine, its timers and its chance, for the simulator itself: taken before anything is replaced. */
export const real = {
  Date: globalThis.Date,
  clearImmediate: timers.clearImmediate,
  clearInterval: timers.clearInterval,
  clearTimeout: timers.clearTimeout,
  createHash: crypto.createHash,
  performanceNow: performance.now.bind(performance),
  setImmediate: timers.setImmediate,
  setInterval: timers.setInterval,
  setTimeout: timers.setTimeout,
} as const
