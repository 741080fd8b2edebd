import type { RAtomicDouble } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  method,
  fromReplica,
  nothing,
  overloaded,
  truth,
  type Sample,
  type Samples,
} from '../../contracts/subject.js'
import { flag, one, options, time, type Argument } from '../../contracts/takes.js'

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
