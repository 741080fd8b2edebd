import { describe, inject, vi } from 'vitest'
import { startCluster } from '../support/servers.js'
import { clusterSettingsAcrossSides } from './contracts/settings.js'
import { patientWithJava, sharedWithJava } from './shared-with-java.js'

/** Longer than a test may take, so that a waiter in Node wakes by a message, or by the end of a lease. */
vi.mock('../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** Long enough that no node ever counts as gone because the machine is busy. */
const PATIENCE_MS = 60_000

const start = () => startCluster({ nodeTimeoutMs: PATIENCE_MS })

describe.skipIf(inject('javaPeer').missing !== undefined)(
  'Node and Java on a cluster',
  { tags: ['full'] },
  () => {
    sharedWithJava(start, clusterSettingsAcrossSides)
    patientWithJava(start)
  },
)
