import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import { forKinds, type LockOf } from './kinds.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** A second and seven sections. */
const LONGEST_WAIT_MS = 1_200

/** How two flows of a client use a lock. */
interface Use {
  readonly lockOf: LockOf
  readonly insideMs: number
  readonly outsideMs: number
}

export const takingTurns: readonly Scenario[] = [
  ...forKinds(['lock', 'fenced lock', 'non-reentrant lock'], (kind, lockOf) => ({
    name: 'turns-of-processes',
    promise: `Two flows of one process that take turns leave a ${kind} to another process, too`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const mineIsOver = takeTurns(stage, mine, { lockOf, insideMs: 20, outsideMs: 5 })
      await stage.sleep(200)
      const hold = await other.run((client) => lockOf(client).tryAcquire({ waitMs: LONGEST_WAIT_MS }))
      await other.run(() => hold?.unlock())
      await mineIsOver()
      assert.ok(hold, `the other process got nothing in ${String(LONGEST_WAIT_MS)} ms`)
    },
  })),
  ...forKinds(['write lock', 'preferred write lock', 'lock on values'], (kind, lockOf) => ({
    name: 'turns-of-clients',
    promise: `Two clients in one process take turns at a ${kind}`,
    run: async (stage) => {
      stage.network.configure({ latencyMs: [0.05, 0.05], split: 0 })
      const mine = await stage.process('process')
      const other = await mine.another()
      mine.delayMessages(0.02)
      await bothGetTurns(stage, [mine, other], lockOf)
    },
  })),
  ...forKinds(
    ['lock', 'fenced lock', 'non-reentrant lock', 'write lock', 'lock on values'],
    (kind, lockOf) => ({
      name: 'turns-of-far-process',
      promise: `A process that is farther away gets its turns at a ${kind}, although messages overtake replies`,
      run: async (stage) => {
        const [near, far] = await Promise.all([stage.process('near'), stage.process('far')])
        near.delayReplies(0.5)
        far.slow(5)
        await bothGetTurns(stage, [near, far], lockOf)
      },
    }),
  ),
]

/** Has two clients work with two flows each, and demands that neither waits for longer than is promised. */
async function bothGetTurns(stage: Stage, clients: readonly Process[], lockOf: LockOf): Promise<void> {
  const ends = clients.map((client) => takeTurns(stage, client, { lockOf, insideMs: 10, outsideMs: 0 }))
  await stage.sleep(5_000)
  const waits = await Promise.all(ends.map((end) => end()))
  const longestMs = Math.max(...waits)
  assert.ok(longestMs < LONGEST_WAIT_MS, `a client has waited for ${longestMs.toFixed(0)} ms`)
}

/** Has two flows of a client take turns at a lock. Returns how to stop, which returns the longest time between two turns. */
function takeTurns(
  stage: Stage,
  process: Process,
  { lockOf, insideMs, outsideMs }: Use,
): () => Promise<number> {
  let lastTurnAt = stage.now
  let longestMs = 0
  let isOver = false
  const turn = () => {
    if (!isOver) longestMs = Math.max(longestMs, stage.now - lastTurnAt)
    lastTurnAt = stage.now
    return stage.sleep(insideMs)
  }
  const flow = async (client: RedissonClient): Promise<void> => {
    while (!isOver) {
      await lockOf(client).withLock(turn)
      if (outsideMs > 0) await stage.sleep(outsideMs)
    }
  }
  const flows = process.run((client) => Promise.all([flow(client), flow(client)]))
  return async () => {
    isOver = true
    const sinceMs = stage.now - lastTurnAt
    await flows
    return Math.max(longestMs, sinceMs)
  }
}
