import { describe } from 'vitest'
import type { ClientTopology } from '../support/launch/topology.js'
import { InteropFixture, NEVER_MS } from './interop-fixture.js'
import { binaryStreamsAcrossSides } from './contracts/binary-streams.js'
import { bitSetsAcrossSides } from './contracts/bit-sets.js'
import { blockingQueuesAcrossSides } from './contracts/blocking-queues.js'
import { boundedQueuesAcrossSides } from './contracts/bounded-queues.js'
import { bloomFiltersAcrossSides } from './contracts/bloom-filters.js'
import { bucketsAcrossSides } from './contracts/buckets.js'
import { clientSideCachingAcrossSides } from './contracts/client-side-caching.js'
import { countDownLatchAcrossSides } from './contracts/count-down-latch.js'
import { crashesAcrossSides } from './contracts/crashes.js'
import { delayedQueuesAcrossSides } from './contracts/delayed-queues.js'
import { exclusionAcrossSides } from './contracts/exclusion.js'
import { fairLockAcrossSides, longFairQueueAcrossSides } from './contracts/fair-lock.js'
import { fencedLockAcrossSides } from './contracts/fenced-lock.js'
import { geosAcrossSides } from './contracts/geos.js'
import { hyperLogLogsAcrossSides } from './contracts/hyper-log-logs.js'
import { lexSortedSetsAcrossSides } from './contracts/lex-sorted-sets.js'
import { listsAcrossSides } from './contracts/lists.js'
import { locksAcrossSides } from './contracts/locks.js'
import { localCachedMapsAcrossSides } from './contracts/local-cached-maps.js'
import { mapCachesAcrossSides } from './contracts/map-caches.js'
import { mapsAcrossSides } from './contracts/maps.js'
import { multimapCachesAcrossSides } from './contracts/multimap-caches.js'
import { multimapsAcrossSides } from './contracts/multimaps.js'
import { nativeMapCachesAcrossSides } from './contracts/native-map-caches.js'
import { nativeMultimapCachesAcrossSides } from './contracts/native-multimap-caches.js'
import { priorityQueuesAcrossSides } from './contracts/priority-queues.js'
import { queuesAcrossSides } from './contracts/queues.js'
import { rateLimiterAcrossSides } from './contracts/rate-limiter.js'
import { readWriteLockAcrossSides } from './contracts/read-write-lock.js'
import { renewalsAcrossSides } from './contracts/renewals.js'
import { reliableTopicsAcrossSides } from './contracts/reliable-topics.js'
import { ringBuffersAcrossSides } from './contracts/ring-buffers.js'
import { scoredSortedSetsAcrossSides } from './contracts/scored-sorted-sets.js'
import { semaphoresAcrossSides } from './contracts/semaphores.js'
import { setCachesAcrossSides } from './contracts/set-caches.js'
import { setsAcrossSides } from './contracts/sets.js'
import { sortedSetsAcrossSides } from './contracts/sorted-sets.js'
import { settingsAcrossSides } from './contracts/settings.js'
import { streamsAcrossSides } from './contracts/streams.js'
import { timeSeriesAcrossSides } from './contracts/time-series.js'
import { topicsAcrossSides } from './contracts/topics.js'
import { valueGroupsAcrossSides } from './contracts/value-groups.js'
import { wireOnBothSides } from './contracts/wire.js'

/** All that holds where clients in Node and in Java share servers, and waits for no lease to end; `more` goes for some servers only. */
export function sharedWithJava(
  start: () => Promise<ClientTopology>,
  more: (bench: InteropFixture) => void = () => undefined,
): void {
  describe('share', () => {
    const bench = new InteropFixture(start, NEVER_MS)
    bench.noLeaks()
    exclusionAcrossSides(bench)
    wireOnBothSides(bench)
    locksAcrossSides(bench)
    fairLockAcrossSides(bench)
    fencedLockAcrossSides(bench)
    readWriteLockAcrossSides(bench)
    valueGroupsAcrossSides(bench)
    semaphoresAcrossSides(bench)
    countDownLatchAcrossSides(bench)
    rateLimiterAcrossSides(bench)
    bitSetsAcrossSides(bench)
    bloomFiltersAcrossSides(bench)
    bucketsAcrossSides(bench)
    binaryStreamsAcrossSides(bench)
    blockingQueuesAcrossSides(bench)
    boundedQueuesAcrossSides(bench)
    delayedQueuesAcrossSides(bench)
    hyperLogLogsAcrossSides(bench)
    mapsAcrossSides(bench)
    mapCachesAcrossSides(bench)
    nativeMapCachesAcrossSides(bench)
    localCachedMapsAcrossSides(bench)
    clientSideCachingAcrossSides(bench)
    listsAcrossSides(bench)
    queuesAcrossSides(bench)
    setsAcrossSides(bench)
    setCachesAcrossSides(bench)
    multimapsAcrossSides(bench)
    multimapCachesAcrossSides(bench)
    nativeMultimapCachesAcrossSides(bench)
    scoredSortedSetsAcrossSides(bench)
    lexSortedSetsAcrossSides(bench)
    geosAcrossSides(bench)
    sortedSetsAcrossSides(bench)
    priorityQueuesAcrossSides(bench)
    streamsAcrossSides(bench)
    timeSeriesAcrossSides(bench)
    ringBuffersAcrossSides(bench)
    reliableTopicsAcrossSides(bench)
    topicsAcrossSides(bench)
    settingsAcrossSides(bench)
    more(bench)
  })
}

/** How long a hold lasts without renewal in tests that wait for the ends of leases. */
const WATCHDOG_MS = 3_000

/** What waits for leases to end. */
export function patientWithJava(start: () => Promise<ClientTopology>): void {
  describe.concurrent('have patience', { tags: ['timed'] }, () => {
    const bench = new InteropFixture(start, WATCHDOG_MS)
    bench.noLeaksAfterAll()
    renewalsAcrossSides(bench)
    crashesAcrossSides(bench)
    longFairQueueAcrossSides(bench)
  })
}
