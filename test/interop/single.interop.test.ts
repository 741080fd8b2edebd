import { describe, inject, vi } from 'vitest'
import { startSingle } from '../support/servers.js'
import { patientWithJava, sharedWithJava } from './shared-with-java.js'

/** Longer than a test may take, so that a waiter in Node wakes by a message, or by the end of a lease. */
vi.mock('../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

describe.skipIf(inject('javaPeer').missing !== undefined)('Node and Java on a single server', () => {
  sharedWithJava(startSingle)
  patientWithJava(startSingle)
})
