import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { HOOKS, NODE } from '../../support/child.js'
import { MIX_NAMES } from '../../../chaos/random-use/mixes.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { Comparison } from './comparison.js'
import type { Recording } from './recording.js'
import { realVersion } from './real-version.js'
import { replay } from './replay.js'
import { scheduleOf, withoutScript } from './schedule.js'
import { isBefore7 } from './version-differences.js'

/** Rounds of all kinds are simulated for each of these seeds. */
const SEEDS = process.env['REDISSON_TEST_DIFFERENTIAL_SEEDS'] ?? '1-1'

/** Ends a simulation that hangs, and asserts nothing. */
const PATIENCE_MS = 900_000

const [node] = single.nodes

const program = fileURLToPath(new URL('record.ts', import.meta.url))

interface RecordedRound {
  readonly name: string
  /** Whether it has sets or streams, of which replies depend on the server. */
  readonly isLeftOut: boolean
  readonly recordings: readonly Recording[]
}

/** Simulates rounds in a process of their own, and records what their servers serve. */
async function* recordRounds(): AsyncGenerator<RecordedRound> {
  const child = spawn(NODE, ['--import', HOOKS, program, '--seeds', SEEDS], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  for await (const line of createInterface(child.stdout)) yield JSON.parse(line) as RecordedRound
  expect(await closed).toEqual([0, null])
}

describe('what simulated servers have served', () => {
  noLeaks(single)

  const empty = () => Promise.all([node.command('FLUSHALL'), node.command('SCRIPT', 'FLUSH')])

  afterEach(empty)

  it(
    'has the same replies at a real server',
    async (context) => {
      context.skip(isBefore7(realVersion), 'PEXPIRETIME came with Redis 7.0')
      const comparison = new Comparison()
      let [rounds, leftOut, ignored] = [0, 0, 0]
      for await (const { name, isLeftOut, recordings } of recordRounds()) {
        rounds += 1
        if (isLeftOut) {
          leftOut += 1
          continue
        }
        for (const recording of recordings) {
          await empty()
          const schedule = scheduleOf(recording)
          const real = await replay(node, schedule.steps)
          for (const [connection, replies] of schedule.sent) {
            const theirs = real.get(connection) ?? []
            const left = schedule.ignored.get(connection) ?? new Set()
            for (const [n, reply] of replies.entries())
              if (!left.has(n))
                comparison.demandSame([], withoutScript(reply), withoutScript(theirs[n] ?? null), {
                  name,
                  connection,
                  n,
                })
            expect(theirs.length).toBe(replies.length)
            ignored += left.size
          }
        }
      }
      void context.annotate(
        `${comparison.summary}\n${String(ignored)} replies about the server were not compared, nor ${String(leftOut)} of ${String(rounds)} rounds, which had sets or streams`,
      )
      expect(rounds % MIX_NAMES.length).toBe(0)
      expect(comparison.count).toBeGreaterThan(1_000)
    },
    PATIENCE_MS,
  )
})
