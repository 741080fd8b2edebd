import { describe, inject } from 'vitest'
import { startSingle } from '../support/servers.js'
import { patientWithJava, sharedWithJava } from './shared-with-java.js'

describe.skipIf(inject('javaPeer').missing !== undefined)('Node and Java on a single server', () => {
  sharedWithJava(startSingle)
  patientWithJava(startSingle)
})
