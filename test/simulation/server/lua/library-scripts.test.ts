import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../../support/no-leaks.js'
import { single } from '../../../support/topologies.js'
import { RawClient } from '../../differential/raw-client.js'
import { realVersion } from '../../differential/real-version.js'
import { isBefore7 } from '../../differential/version-differences.js'
import { anyRun, bytesOf, libraryScripts } from './testing/library-scripts.js'
import { record, replay } from './testing/recorded.js'

const RUNS = Number(process.env['REDISSON_TEST_FUZZ_RUNS'] ?? 10)
const SCRIPTS_IN_A_RUN = 20

const [node] = single.nodes
const scripts = await libraryScripts()
const sources = new Map(scripts.map((script) => [script.name, bytesOf(script)]))
const families = Map.groupBy(scripts, ({ name }) => name.split('/')[0] ?? '')

describe('the scripts of the library in the simulation', () => {
  let real: RawClient

  noLeaks(single, { keys: 'any' }) // whatever the scripts leave with any arguments

  beforeAll(async () => {
    real = await RawClient.connect(node)
  })

  beforeEach((context) => {
    context.skip(isBefore7(realVersion), 'scripts catch errors with other messages in Redis 6.2')
  })

  afterAll(() => real.close())

  it.each([...families])('send the same commands as in Redis, and reply the same: %s', async (_, family) => {
    const runs = fc.array(fc.oneof(...family.map(anyRun)), {
      minLength: SCRIPTS_IN_A_RUN,
      maxLength: SCRIPTS_IN_A_RUN,
    })
    await fc.assert(
      fc.asyncProperty(runs, async (some) => {
        await real.command('FLUSHALL')
        for (const run of some) {
          const source = sources.get(run.name) ?? ''
          const expected = await record(real, source, run)
          expect({ run, ...replay(source, run, expected) }).toStrictEqual({ run, ...expected })
        }
      }),
      { numRuns: RUNS },
    )
  })
})
