import type { PermitHold, RPermitExpirableSemaphore } from '../../../src/index.js'
import { disposable, expirable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  text,
  texts,
  truth,
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
  fill: (made) => made.trySetPermits(3),
  methods: {
    ...expirable,
    acquire: overloaded(text, [leaseMs], [lease]),
    acquireMany: asked(texts, howMany, lease),
    acquirePermit: asked(isObject, lease),
    tryAcquire: overloaded(orUndefined(text), [orOptions(waitMs), leaseMs], [tried]),
    tryAcquireMany: asked(orUndefined(texts), howMany, tried),
    tryAcquirePermit: asked(orUndefined(isObject), tried),
    withPermit: asked(anything, fn, options({ waitMs, leaseMs, signal, releaseWaitMs: waitMs })),
    release: asked(nothing, ids),
    tryRelease: asked(truth, ids),
    availablePermits: asked(number),
    acquiredPermits: asked(number),
    getPermits: asked(number),
    trySetPermits: asked(truth, permits),
    setPermits: asked(nothing, permits),
    addPermits: asked(nothing, permits),
    updateLeaseTime: asked(truth, ids, leaseMs),
    getLeaseTime: asked(number, ids),
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
  methods: { ...disposable, release: asked(nothing), extend: asked(nothing, leaseMs) },
  free: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
}
