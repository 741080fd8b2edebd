import { callersOfOneTurn } from './callers-of-one-turn.js'
import { caches } from './caches.js'
import { changingCredentials } from './changing-credentials.js'
import { clientsOfIoredis } from './clients-of-ioredis.js'
import { clusters } from './clusters.js'
import { enteringAgain } from './entering-again.js'
import { fairLocks } from './fair-locks.js'
import { fencingGuards } from './fencing-guards.js'
import { givingUp } from './giving-up.js'
import { largeValues } from './large-values.js'
import { leases } from './leases.js'
import { lostMessages } from './lost-messages.js'
import { mapsWithWriters } from './maps-with-writers.js'
import { movingEndpoints } from './moving-endpoints.js'
import { namedThreads } from './named-threads.js'
import { names } from './names.js'
import { passingOn } from './passing-on.js'
import { permissions } from './permissions.js'
import { permits } from './permits.js'
import { processesAndClocks } from './processes-and-clocks.js'
import { rateLimiters } from './rate-limiters.js'
import { readWriteLocks } from './read-write-locks.js'
import { refusedHandshakes } from './refused-handshakes.js'
import { reliableQueues } from './reliable-queues.js'
import { reliableTopics } from './reliable-topics.js'
import { replicas } from './replicas.js'
import { replicated } from './replicated.js'
import type { Scenario } from './scenario.js'
import { sentinels } from './sentinels.js'
import { serversInTrouble } from './servers-in-trouble.js'
import { shutdowns } from './shutdowns.js'
import { snowflakes } from './snowflakes.js'
import { standingStill } from './standing-still.js'
import { streams } from './streams.js'
import { takingTurns } from './taking-turns.js'
import { timeLimits } from './time-limits.js'
import { workLimiters } from './work-limiters.js'
import { writersThatRead } from './writers-that-read.js'

/** Every scenario. */
export const scenarios: readonly Scenario[] = [
  ...callersOfOneTurn,
  ...caches,
  ...changingCredentials,
  ...clientsOfIoredis,
  ...clusters,
  ...enteringAgain,
  ...fairLocks,
  ...fencingGuards,
  ...givingUp,
  ...largeValues,
  ...leases,
  ...lostMessages,
  ...mapsWithWriters,
  ...movingEndpoints,
  ...namedThreads,
  ...names,
  ...passingOn,
  ...permissions,
  ...permits,
  ...processesAndClocks,
  ...rateLimiters,
  ...readWriteLocks,
  ...refusedHandshakes,
  ...reliableQueues,
  ...reliableTopics,
  ...replicas,
  ...replicated,
  ...sentinels,
  ...serversInTrouble,
  ...shutdowns,
  ...snowflakes,
  ...standingStill,
  ...streams,
  ...takingTurns,
  ...timeLimits,
  ...workLimiters,
  ...writersThatRead,
]
