import type { RSemaphore } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  anything,
  method,
  nothing,
  number,
  overloaded,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import { fn, leaseMs, options, orOptions, permits, signal, waitMs } from '../../contracts/takes.js'

export const semaphore: Subject<RSemaphore> = {
  make: (client, name) => client.getSemaphore(name),
  fill: (made) => made.trySetPermits(3),
  use: async (made) => [await made.tryAcquire(2), await made.tryAcquire(2), await made.availablePermits()],
  methods: {
    ...expirable,
    acquire: overloaded(nothing, [permits], [options({ permits, signal })]),
    tryAcquire: overloaded(truth, [orOptions(permits), waitMs], [options({ permits, waitMs, signal })]),
    release: method(nothing, permits),
    releaseIfExists: method(truth, permits),
    trySetPermits: method(truth, permits, leaseMs),
    addPermits: method(nothing, permits),
    drainPermits: method(number),
    availablePermits: method(number),
    withPermit: method(anything, fn, options({ permits, waitMs, signal, releaseWaitMs: waitMs })),
  },
  free: async (client, name) => {
    const semaphore = client.getSemaphore(name)
    await semaphore.delete()
    await semaphore.trySetPermits(1)
    await semaphore.acquire()
    await semaphore.delete()
  },
}
