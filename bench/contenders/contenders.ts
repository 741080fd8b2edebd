import { bareMessages } from './bare-messages.js'
import type { NodeContender } from './contender.js'
import { bentoCache } from './bento-cache.js'
import { beeQueue, bullMq } from './job-queues.js'
import { floor } from './floor.js'
import { ioredisson } from './ioredisson.js'
import { ownScripts } from './own-scripts.js'
import { nodeRedisson } from './node-redisson.js'
import { plainIoredis } from './plain-ioredis.js'
import { rateLimiterFlexible } from './rate-limiter-flexible.js'
import { redisSemaphore } from './redis-semaphore.js'
import { redlock, sesamecareRedlock } from './redlock.js'
import { redlockUniversal } from './redlock-universal.js'
import { scriptPair } from './script-pair.js'
import { simpleRedisMutex } from './simple-redis-mutex.js'
import { threeRoundTrips } from './three-round-trips.js'
import { inOneProcess, plainLocks } from './variants.js'

/** The alternative libraries. Importing this loads none of them. */
export const peers: readonly NodeContender[] = [
  redlock,
  sesamecareRedlock,
  redisSemaphore,
  redlockUniversal,
  nodeRedisson,
  simpleRedisMutex,
  bullMq,
  beeQueue,
  bentoCache,
  rateLimiterFlexible,
]

/** All that can be measured. */
export const everybody: readonly NodeContender[] = [
  floor,
  scriptPair,
  ownScripts,
  threeRoundTrips,
  bareMessages,
  plainIoredis,
  ioredisson,
  plainLocks,
  inOneProcess,
  ...peers,
]

/** @throws RangeError if no contender has this name */
export function contenderNamed(name: string): NodeContender {
  const found = everybody.find((contender) => contender.name === name)
  if (found === undefined) throw new RangeError(`Expected the name of a contender, got "${name}"`)
  return found
}
