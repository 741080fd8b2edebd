import type { RAtomicDouble } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  asked,
  fromReplica,
  nothing,
  overloaded,
  truth,
  type Sample,
  type Samples,
} from '../../contracts/subject.js'
import { flag, one, options, time, type Argument } from '../../contracts/takes.js'

/** The methods of a counter with such numbers. */
export function counter(sound: Sample['answers'], operand: Argument): Samples<RAtomicDouble> {
  const by = { by: operand, lowerBound: operand, upperBound: operand, saturate: flag }
  return {
    ...expirable,
    ...fromReplica({
      get: asked(sound),
    }),
    set: asked(nothing, operand),
    getAndSet: asked(sound, operand),
    getAndDelete: asked(sound),
    addAndGet: asked(sound, operand),
    getAndAdd: asked(sound, operand),
    incrementAndGet: overloaded(
      sound,
      [options({ ...by, expire: time, expireIfNotSet: flag })],
      [options({ ...by, clearExpire: flag })],
    ),
    decrementAndGet: asked(sound),
    getAndIncrement: asked(sound),
    getAndDecrement: asked(sound),
    compareAndSet: asked(truth, operand, operand),
    setIfLess: asked(truth, operand, operand),
    setIfGreater: asked(truth, operand, operand),
    compareAndDelete: asked(truth, one('<', '<=', '>', '>=', '==', '!='), operand),
  }
}
