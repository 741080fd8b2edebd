import type { PermitHold, RPermitExpirableSemaphore } from '../../../src/index.js'
import { disposable, dumpable, expirable } from '../../contracts/samples.js'
import {
  anything,
  method,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  text,
  texts,
  truth,
  quiet,
  type Subject,
} from '../../contracts/subject.js'
import {
  fn,
  howMany,
  leaseMs,
  one,
  options,
  orOptions,
  permits,
  signal,
  waitMs,
} from '../../contracts/takes.js'

const id = '0123456789abcdef'.repeat(2)
const ids = one(id, [id], [id, id.toUpperCase()], [], id.slice(1))
const lease = options({ leaseMs, signal })
const tried = options({ waitMs, leaseMs, signal })

export const permitExpirableSemaphore: Subject<RPermitExpirableSemaphore> = {
  make: (client, name) => client.getPermitExpirableSemaphore(name),
  fill: async (made) => {
    await made.trySetPermits(3)
    await made.acquire(600_000)
  },
  use: async (made) => [
    await made.acquiredPermits(),
    (await made.tryAcquireMany(2, { leaseMs: 600_000 }))?.length,
    await made.tryAcquire(),
    await made.availablePermits(),
  ],
  methods: {
    ...expirable,
    ...quiet(dumpable),
    acquire: overloaded(text, [leaseMs], [lease]),
    acquireMany: method(texts, howMany, lease),
    acquirePermit: method(isObject, lease),
    tryAcquire: overloaded(orUndefined(text), [orOptions(waitMs), leaseMs], [tried]),
    tryAcquireMany: method(orUndefined(texts), howMany, tried),
    tryAcquirePermit: method(orUndefined(isObject), tried),
    withPermit: method(anything, fn, options({ waitMs, leaseMs, signal, releaseWaitMs: waitMs })),
    release: method(nothing, ids),
    tryRelease: method(truth, ids),
    availablePermits: method(number),
    acquiredPermits: method(number),
    getPermits: method(number),
    trySetPermits: method(truth, permits),
    setPermits: method(nothing, permits),
    addPermits: method(nothing, permits),
    updateLeaseTime: method(truth, ids, leaseMs),
    getLeaseTime: method(number, ids),
  },
  free: async (client, name) => {
    const semaphore = client.getPermitExpirableSemaphore(name)
    await semaphore.delete()
    await semaphore.trySetPermits(1)
    await semaphore.acquire()
    await semaphore.delete()
  },
}

export const permitHold: Subject<PermitHold> = {
  make: async (client, name) => {
    await client.getPermitExpirableSemaphore(name).trySetPermits(1)
    return client.getPermitExpirableSemaphore(name).acquirePermit({ leaseMs: 5000 })
  },
  methods: { ...disposable, release: method(nothing), extend: method(nothing, leaseMs) },
  free: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
}
