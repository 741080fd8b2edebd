import type { RDumpable, RExpirable, RObject } from '../../src/api/object.js'
import type { RSortable } from '../../src/collections/shared/sortable.api.js'
import type { RBucket, RLock, RMap } from '../../src/index.js'
import {
  anything,
  method,
  fromReplica,
  handsOut,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  truth,
  iteration,
  type Samples,
} from './subject.js'
import * as takes from './takes.js'
import { fn, leaseMs, newName, options, signal, threadId, time, waitMs, type Argument } from './takes.js'

const state = takes.one(new Uint8Array(4))

/** What an object of one key has, and one of several refuses. */
export const dumpable: Samples<RDumpable> = {
  ...fromReplica({
    dump: method(orUndefined(isObject)),
  }),
  restore: method(nothing, state, leaseMs),
  restoreAndReplace: method(nothing, state, leaseMs),
  getIdleTime: method(orUndefined(number)),
}

/** What every object has. */
export const object: Samples<RObject & RDumpable> = {
  addListener: method(
    isObject,
    takes.one('deleted', 'expired', 'set', 'put'),
    takes.listener,
    options({ signal }),
  ),
  delete: method(truth),
  unlink: method(truth),
  ...fromReplica({
    isExists: method(truth),
    sizeInMemory: method(number),
  }),
  touch: method(truth),
  rename: method(nothing, newName),
  renamenx: method(truth, newName),
  copy: method(truth, newName, options({ replace: takes.flag, database: takes.database })),
  move: method(truth, takes.database),
  ...dumpable,
}

export const expirable: Samples<RExpirable & RDumpable> = {
  ...object,
  expire: method(truth, time),
  expireIfSet: method(truth, time),
  expireIfNotSet: method(truth, time),
  expireIfGreater: method(truth, time),
  expireIfLess: method(truth, time),
  clearExpire: method(truth),
  ...fromReplica({
    remainTimeToLive: method(number),
    getExpireTime: method(orUndefined(isObject)),
  }),
}

export const iterable: Samples<AsyncIterable<unknown>> = { [Symbol.asyncIterator]: iteration() }

export const disposable: Samples<AsyncDisposable> = { [Symbol.asyncDispose]: method(nothing) }

/** What locks have that may be taken as one. */
const acquire = options({ waitMs, leaseMs, signal })
const acquireAs = options({ waitMs, leaseMs, signal, threadId })

/** The same of a lock that may be taken by a function. */
export const lockForms = [[takes.orOptions(waitMs), leaseMs], [acquireAs]]
export const leaseForms = [[leaseMs], [acquireAs]]

export const lock: Samples<RLock> = {
  lock: overloaded(nothing, ...leaseForms),
  tryLock: overloaded(truth, ...lockForms),
  acquire: method(isObject, acquire),
  tryAcquire: method(orUndefined(isObject), acquire),
  withLock: method(anything, fn, options({ waitMs, leaseMs, signal, releaseWaitMs: waitMs })),
  unlock: method(nothing, options({ threadId })),
  isHeldByCurrentThread: method(truth),
  isHeldByThread: method(truth, threadId),
  forceUnlock: method(truth),
  isLocked: method(truth),
  getHoldCount: method(number),
  remainTimeToLive: method(number),
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
  readSort: { ...method(Array.isArray, sort), mayBeRefusedByRedis: true },
  readSortAlpha: method(Array.isArray, sort),
  sortTo: { ...method(number, newName, sort), mayBeRefusedByRedis: true },
}

/** What a bucket of such values takes. */
export const bucketMethods = (value: Argument): Samples<RBucket<unknown>> => ({
  ...expirable,
  ...fromReplica({
    get: method(anything),
    size: method(number),
    findCommon: method(anything, newName),
    findCommonLength: method(number, newName),
  }),
  set: method(nothing, value, leaseMs),
  setAndKeepTTL: method(nothing, value),
  setIfAbsent: method(truth, value, leaseMs),
  setIfExists: method(truth, value, leaseMs),
  getAndSet: method(anything, value, leaseMs),
  getAndDelete: method(anything),
  getAndExpire: method(anything, time),
  getAndClearExpire: method(anything),
  compareAndSet: method(truth, value, value),
  compareAndDelete: method(truth, value),
})
