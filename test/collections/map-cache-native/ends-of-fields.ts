import { beforeEach } from 'vitest'
import { single } from '../../support/topologies.js'

/** Whether the servers of the tests know the ends of fields, as Redis does from 7.4 on, and Valkey from 9 on. */
export const knowsEndsOfFields = await single.nodes[0].command('HPTTL', 'none', 'FIELDS', 1, 'none').then(
  () => true,
  () => false,
)

/** Skips the tests of a file where the servers do not know them. */
export function needEndsOfFields(): void {
  beforeEach((context) => {
    context.skip(!knowsEndsOfFields, 'needs HPEXPIRE: Redis 7.4 or Valkey 9')
  })
}
