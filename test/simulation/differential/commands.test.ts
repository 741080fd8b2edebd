import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { type Bytes, type Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { comparable } from './comparable.js'
import { families, sequencesOf } from './generated.js'
import { RawClient } from './raw-client.js'

const RUNS = { numRuns: Number(process.env['REDISSON_TEST_DIFFERENTIAL_RUNS'] ?? 60) }

describe('the server of the simulation and a real one', () => {
  let real: RawClient
  let compared = 0

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
  })

  afterAll(() => real.close())

  const begin = () => real.send([['DISCARD'], ['SELECT', '0'], ['CLIENT', 'SETNAME', ''], ['FLUSHALL']])

  it.each(families)('reply alike to generated commands: %s', async (family) => {
    await fc.assert(
      fc.asyncProperty(sequencesOf(family), async (commands) => {
        await begin()
        const replies = await real.send(commands)
        const simulated = runAll(commands)
        for (const [n, words] of commands.entries()) {
          const [mine, theirs] = [simulated[n] as Reply, replies[n] as Reply]
          expect({ words, reply: comparable(words, mine, theirs) }).toEqual({ words, reply: theirs })
        }
        compared += commands.length
      }),
      RUNS,
    )
    await begin() // and leaves nothing behind
  })

  it('were compared by thousands of replies', ({ annotate }) => {
    void annotate(`${String(compared)} replies were equal`)
    expect(compared).toBeGreaterThan(families.length * RUNS.numRuns * 39)
  })
})

/** Runs commands on a new server, at the time of now. */
function runAll(commands: readonly (readonly Bytes[])[]): readonly Reply[] {
  const server = new Server({ now: Date.now, draw: () => 0 })
  const session = server.connect({ write: () => undefined, close: () => undefined })
  return commands.map((words) => server.execute(session, words))
}
