import { real } from '../real.js'
import { activeSimulation } from '../simulation.js'
import { replaceBy, replaceByGetter, type Replacement } from './replacement.js'
import { Timer } from './timer.js'

/** Replaces the clocks: `Date`, `performance`, `process.hrtime` and `process.uptime`, and the timer of `AbortSignal.timeout`. */
export function timeReplacements(): readonly Replacement[] {
  return [
    replaceBy(globalThis, 'Date', SimulatedDate),
    replaceBy(real.Date.prototype, 'constructor', SimulatedDate),
    replaceBy(performance, 'now', monotonic),
    replaceByGetter(performance, 'timeOrigin', timeOrigin),
    replaceBy(process, 'hrtime', hrtime()),
    replaceBy(process, 'uptime', () => monotonic() / 1_000),
    replaceBy(AbortSignal, 'timeout', abortAfter),
  ]
}

function monotonic(): number {
  return activeSimulation()?.clock.monotonic ?? real.performanceNow()
}

function wall(): number {
  const simulation = activeSimulation()
  return simulation === undefined ? real.Date.now() : Math.floor(simulation.clock.wall)
}

const realTimeOrigin = performance.timeOrigin

function timeOrigin(): number {
  return activeSimulation()?.clock.current.time.timeOrigin ?? realTimeOrigin
}

/** `Date`, which asks for the time where it is given none. */
const SimulatedDate: DateConstructor = new Proxy(real.Date, {
  apply: () => new real.Date(wall()).toString(),
  construct: (target, args: unknown[], newTarget): object =>
    Reflect.construct(
      target,
      args.length === 0 ? [wall()] : args,
      newTarget === SimulatedDate ? target : newTarget,
    ) as object,
  get: (target, property, receiver): unknown =>
    property === 'now' ? wall : Reflect.get(target, property, receiver),
})

type Hrtime = NodeJS.HRTime

const realHrtime = process.hrtime

function hrtime(): Hrtime {
  const read = (previous?: [number, number]): [number, number] => {
    if (activeSimulation() === undefined) return realHrtime(previous)
    const ns = nanoseconds() - (previous === undefined ? 0n : asNanoseconds(previous))
    return [Number(ns / SECOND_NS), Number(ns % SECOND_NS)]
  }
  const bigint = (): bigint => (activeSimulation() === undefined ? realHrtime.bigint() : nanoseconds())
  return Object.assign(read, { bigint })
}

const SECOND_NS = 1_000_000_000n

function nanoseconds(): bigint {
  return BigInt(Math.floor(monotonic() * 1e6))
}

function asNanoseconds([seconds, ns]: readonly [number, number]): bigint {
  return BigInt(seconds) * SECOND_NS + BigInt(ns)
}

const realAbortAfter = AbortSignal.timeout.bind(AbortSignal)

function abortAfter(ms: number): AbortSignal {
  const simulation = activeSimulation()
  if (simulation === undefined) return realAbortAfter(ms)
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  }
  new Timer(simulation.clock, abort, [], ms, 'once').unref()
  return controller.signal
}
