import type { RDumpable, RExpirable, RObject } from '../../src/api/object.js'
import type { RSortable } from '../../src/collections/shared/sortable.api.js'
import type { RBucket, RLock, RMap } from '../../src/index.js'
import {
  anything,
  asked,
  fromReplica,
  handsOut,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  truth,
  walk,
  type Samples,
} from './subject.js'
import * as takes from './takes.js'
import { fn, leaseMs, newName, options, signal, threadId, time, waitMs, type Argument } from './takes.js'

const state = takes.one(new Uint8Array(4))

/** What an object of one key has, and one of several refuses. */
export const dumpable: Samples<RDumpable> = {
  ...fromReplica({
    dump: asked(orUndefined(isObject)),
  }),
  restore: asked(nothing, state, leaseMs),
  restoreAndReplace: asked(nothing, state, leaseMs),
  getIdleTime: asked(orUndefined(number)),
}

/** What every object has. */
export const object: Samples<RObject & RDumpable> = {
  addListener: asked(
    isObject,
    takes.one('deleted', 'expired', 'set', 'put'),
    takes.listener,
    options({ signal }),
  ),
  delete: asked(truth),
  unlink: asked(truth),
  ...fromReplica({
    isExists: asked(truth),
    sizeInMemory: asked(number),
  }),
  touch: asked(truth),
  rename: asked(nothing, newName),
  renamenx: asked(truth, newName),
  copy: asked(truth, newName, options({ replace: takes.flag, database: takes.database })),
  move: asked(truth, takes.database),
  ...dumpable,
}

export const expirable: Samples<RExpirable & RDumpable> = {
  ...object,
  expire: asked(truth, time),
  expireIfSet: asked(truth, time),
  expireIfNotSet: asked(truth, time),
  expireIfGreater: asked(truth, time),
  expireIfLess: asked(truth, time),
  clearExpire: asked(truth),
  ...fromReplica({
    remainTimeToLive: asked(number),
    getExpireTime: asked(orUndefined(isObject)),
  }),
}

export const iterable: Samples<AsyncIterable<unknown>> = { [Symbol.asyncIterator]: walk() }

export const disposable: Samples<AsyncDisposable> = { [Symbol.asyncDispose]: asked(nothing) }

/** What locks have that may be taken as one. */
const acquire = options({ waitMs, leaseMs, signal })
const acquireAs = options({ waitMs, leaseMs, signal, threadId })

/** The same of a lock that may be taken by a function. */
export const lockForms = [[takes.orOptions(waitMs), leaseMs], [acquireAs]]
export const leaseForms = [[leaseMs], [acquireAs]]

export const lock: Samples<RLock> = {
  lock: overloaded(nothing, ...leaseForms),
  tryLock: overloaded(truth, ...lockForms),
  acquire: asked(isObject, acquire),
  tryAcquire: asked(orUndefined(isObject), acquire),
  withLock: asked(anything, fn, options({ waitMs, leaseMs, signal, releaseWaitMs: waitMs })),
  unlock: asked(nothing, options({ threadId })),
  isHeldByCurrentThread: asked(truth),
  isHeldByThread: asked(truth, threadId),
  forceUnlock: asked(truth),
  isLocked: asked(truth),
  getHoldCount: asked(number),
  remainTimeToLive: asked(number),
}

type EntryObject =
  | 'getLock'
  | 'getFairLock'
  | 'getReadWriteLock'
  | 'getSemaphore'
  | 'getPermitExpirableSemaphore'
  | 'getCountDownLatch'

/** The locks and synchronizers of an entry. */
export function entryObjects(entry: Argument): Samples<Pick<RMap<string, unknown>, EntryObject>> {
  return {
    getLock: handsOut(entry, takes.lockSettings),
    getFairLock: handsOut(entry, takes.lockSettings),
    getReadWriteLock: handsOut(entry, takes.readWriteSettings),
    getSemaphore: handsOut(entry, takes.permitSettings),
    getPermitExpirableSemaphore: handsOut(entry, takes.permitSettings),
    getCountDownLatch: handsOut(entry),
  }
}

const sort = options({
  order: takes.one('ASC', 'DESC'),
  by: takes.one('none', 'weight:*'),
  get: takes.list(takes.one('#'), ['#'], ['#', 'none']),
  offset: takes.whole(0, 2),
  count: takes.whole(0, 2),
})

/** What sorts on the server, which refuses values that are no numbers. */
export const sortable: Samples<RSortable<unknown>> = {
  readSort: { ...asked(Array.isArray, sort), mayBeRefusedByRedis: true },
  readSortAlpha: asked(Array.isArray, sort),
  sortTo: { ...asked(number, newName, sort), mayBeRefusedByRedis: true },
}

/** What a bucket of such values takes. */
export const bucketMethods = (value: Argument): Samples<RBucket<unknown>> => ({
  ...expirable,
  ...fromReplica({
    get: asked(anything),
    size: asked(number),
    findCommon: asked(anything, newName),
    findCommonLength: asked(number, newName),
  }),
  set: asked(nothing, value, leaseMs),
  setAndKeepTTL: asked(nothing, value),
  setIfAbsent: asked(truth, value, leaseMs),
  setIfExists: asked(truth, value, leaseMs),
  getAndSet: asked(anything, value, leaseMs),
  getAndDelete: asked(anything),
  getAndExpire: asked(anything, time),
  getAndClearExpire: asked(anything),
  compareAndSet: asked(truth, value, value),
  compareAndDelete: asked(truth, value),
})
