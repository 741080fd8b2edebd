import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../../support/no-leaks.js'
import { single } from '../../../support/topologies.js'
import { RawClient } from '../../differential/raw-client.js'
import { skipOtherVersions } from '../../differential/real-version.js'
import { allCases } from './testing/cases/all.js'
import { scriptsOf } from './testing/cases/cases.js'
import { ARGS, comparable, KEY, replyOf, VALUE } from './testing/compared.js'
import * as libraries from './testing/generated/libraries.js'
import * as programs from './testing/generated/programs.js'

/** How many scripts of each kind are drawn; `REDISSON_TEST_FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env['REDISSON_TEST_FUZZ_RUNS'] ?? 300)

const [node] = single.nodes

describe('Lua in the simulation', () => {
  let real: RawClient

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(node)
  })

  afterAll(() => real.close())

  beforeEach(async (context) => {
    skipOtherVersions(context, 'the messages of errors')
    await real.command('SET', KEY, VALUE)
  })

  afterEach(() => real.command('DEL', KEY))

  const demandSameReply = async (script: string) => {
    const expected = comparable(await real.command('EVAL', script, '1', KEY, ...ARGS))
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
