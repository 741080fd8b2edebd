import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { type Bytes, type Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { Comparison } from './comparison.js'
import { families, sequencesOf } from './generated.js'
import { RawClient } from './raw-client.js'
import { commandsOfVersion } from './version-differences.js'

const RUNS = { numRuns: Number(process.env['REDISSON_TEST_DIFFERENTIAL_RUNS'] ?? 60) }

describe('the server of the simulation and a real one', () => {
  let real: RawClient
  const comparison = new Comparison()

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
    await real.command('DEBUG', 'SET-ACTIVE-EXPIRE', '0') // so that a key is removed only when it is used, and `DBSIZE` does not depend on the time
  })

  afterAll(async () => {
    await real.command('DEBUG', 'SET-ACTIVE-EXPIRE', '1')
    await real.close()
  })

  const begin = () => real.send([['DISCARD'], ['SELECT', '0'], ['CLIENT', 'SETNAME', ''], ['FLUSHALL']])

  it.each(families)('reply alike to generated commands: %s', async (family) => {
    await fc.assert(
      fc.asyncProperty(sequencesOf(family).map(commandsOfVersion), async (commands) => {
        await begin()
        const replies = await real.send(commands)
        comparison.demandAllSame(commands, runAll(commands), replies)
      }),
      RUNS,
    )
    await begin() // and leaves nothing behind
  })

  it('were compared by thousands of replies', ({ annotate }) => {
    void annotate(comparison.summary)
    expect(comparison.count).toBeGreaterThan(families.length * RUNS.numRuns * 30)
  })
})

/** Runs commands on a new server, at the time of now. */
function runAll(commands: readonly (readonly Bytes[])[]): readonly Reply[] {
  const server = new Server({ now: Date.now, draw: () => 0 })
  const session = server.connect({ write: () => undefined, close: () => undefined })
  return commands.map((words) => server.execute(session, words))
}
