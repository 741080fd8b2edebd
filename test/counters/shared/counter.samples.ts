import type { RAtomicDouble } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  method,
  fromReplica,
  nothing,
  overloaded,
  truth,
  times,
  type Sample,
  type Samples,
  type Subject,
} from '../../contracts/subject.js'
import { flag, one, options, time, type Argument } from '../../contracts/takes.js'

interface Counted<N> {
  incrementAndGet(): Promise<N>
  addAndGet(delta: N): Promise<N>
  set(value: N): Promise<void>
  compareAndSet(expected: N, value: N): Promise<boolean>
}

/** The events of a counter to which this number can be added. */
export const counterEvents = <N>(value: N): Subject<Counted<N>>['events'] & {} => ({
  incremented: times(2, async (made) => {
    await made.incrementAndGet()
    await made.addAndGet(value)
    await made.set(value)
  }),
  set: times(2, async (made) => {
    await made.set(value)
    await made.compareAndSet(value, value)
  }),
})

/** The methods of a counter with such numbers. */
export function counter(sound: Sample['isSound'], operand: Argument): Samples<RAtomicDouble> {
  const by = { by: operand, lowerBound: operand, upperBound: operand, saturate: flag }
  return {
    ...expirable,
    ...fromReplica({
      get: method(sound),
    }),
    set: method(nothing, operand),
    getAndSet: method(sound, operand),
    getAndDelete: method(sound),
    addAndGet: method(sound, operand),
    getAndAdd: method(sound, operand),
    incrementAndGet: overloaded(
      sound,
      [options({ ...by, expire: time, expireIfNotSet: flag })],
      [options({ ...by, clearExpire: flag })],
    ),
    decrementAndGet: method(sound),
    getAndIncrement: method(sound),
    getAndDecrement: method(sound),
    compareAndSet: method(truth, operand, operand),
    setIfLess: method(truth, operand, operand),
    setIfGreater: method(truth, operand, operand),
    compareAndDelete: method(truth, one('<', '<=', '>', '>=', '==', '!='), operand),
  }
}
