import { fourProcesses, oneProcess } from './contended.js'
import { handOver } from './hand-over.js'
import { manyLocks } from './many-locks.js'
import { fairLock, fencedLock, rateGrant, rateRefusal, readLock, redLock, semaphore } from './objects.js'
import { uncontended } from './uncontended.js'
import { iteration } from './iteration.js'
import {
  batch,
  blockingQueue,
  bloomFilter,
  bucket,
  cache,
  counter,
  keyLimits,
  list,
  manyValues,
  map,
  reliableQueue,
  set,
  sortedSet,
  stream,
  topic,
} from './values.js'
import { waiting } from './waiting.js'
import { watchdog } from './watchdog.js'
import type { Workload } from './workload.js'

export const workloads: readonly Workload[] = [
  uncontended,
  manyLocks,
  oneProcess,
  fourProcesses,
  handOver,
  waiting,
  watchdog,
  fairLock,
  readLock,
  semaphore,
  fencedLock,
  redLock,
  rateGrant,
  rateRefusal,
  bucket,
  counter,
  map,
  manyValues,
  iteration,
  list,
  set,
  sortedSet,
  bloomFilter,
  topic,
  blockingQueue,
  reliableQueue,
  stream,
  cache,
  keyLimits,
  batch,
]
