import { describe, inject } from 'vitest'
import { startCluster } from '../support/servers.js'
import { clusterSettingsAcrossSides } from './contracts/settings.js'
import { patientWithJava, sharedWithJava } from './shared-with-java.js'

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
