import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../../support/no-leaks.js'
import { single } from '../../../support/topologies.js'
import { allCases } from './testing/cases/all.js'
import { scriptsOf } from './testing/cases/cases.js'
import { ARGS, comparable, KEY, replyOf, VALUE } from './testing/compared.js'
import * as libraries from './testing/generated/libraries.js'
import * as programs from './testing/generated/programs.js'
import { isSameVersion } from './testing/is-same-version.js'
import { RealServer } from './testing/real-server.js'

/** How many scripts of each kind are drawn; `REDISSON_TEST_FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env['REDISSON_TEST_FUZZ_RUNS'] ?? 300)

const [node] = single.nodes

describe.skipIf(!isSameVersion)('Lua in the simulation', () => {
  let real: RealServer

  noLeaks(single)

  beforeAll(async () => {
    real = await RealServer.connect(node)
  })

  afterAll(() => {
    real.close()
  })

  beforeEach(() => real.command('SET', KEY, VALUE))

  afterEach(() => real.command('DEL', KEY))

  const demandSameReply = async (script: string) => {
    const expected = comparable(await real.evaluate(script, [KEY], ARGS))
    expect({ script, reply: comparable(replyOf(script)) }).toStrictEqual({ script, reply: expected })
  }

  it.each(Object.entries(allCases))('replies as Redis does: %s', async (_, cases) => {
    for (const script of scriptsOf(cases)) await demandSameReply(script)
  })

  it.each(Object.entries({ ...programs, ...libraries }))(
    'replies to any scripts as Redis does: %s',
    async (_, scripts) => {
      await fc.assert(fc.asyncProperty(scripts, demandSameReply), { numRuns: RUNS })
    },
  )
})
