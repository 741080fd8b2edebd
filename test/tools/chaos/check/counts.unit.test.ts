import { expect, it } from 'vitest'
import { Tale } from './tale.js'

it('a run is summarized in numbers', () => {
  const { counts } = new Tale({ lock: 'fenced' })
    .starts('a')
    .starts('b')
    .fault('tcp-cut', 1, 2)
    .fault('tcp-cut', 3, 4)
    .fault('master-kill', 5, 9)
    .acquires('a/0', 'h1', [1, 12], { token: 1 })
    .acquires('a/0', 'h2', [13, 14], { token: 1, within: 'h1' })
    .step('h1', 15, 'fenced-off')
    .releases('h2', [16, 17])
    .releases('h1', [18, 19], { outcome: 'failed', error: 'NOT_HELD' })
    .visits('a/1', 'h3', [21, 22], 2)
    .visits('b/0', 'h4', [24, 25], 3)
    .visits('a/0', 'h5', [27, 28], 4)
    .isKilled('b', 30)
    .starts('c', 31)
    .acquires('c/0', 'h6', [32, 33], { outcome: 'refused', error: 'LOCK_TIMEOUT' })
    .acquires('c/0', 'h7', [34, 35], { outcome: 'failed' })
    .acquires('c/0', 'h8', [36]).verdict
  expect(counts).toEqual({
    durationMs: 36,
    operations: {
      acquire: { ok: 5, refused: 1, failed: 1, unanswered: 1 },
      release: { ok: 4, refused: 0, failed: 1, unanswered: 0 },
    },
    faults: { 'tcp-cut': 2, 'master-kill': 1 },
    failovers: 1,
    acquisitions: 4,
    handOvers: 2,
    errors: { NOT_HELD: 1, LOCK_TIMEOUT: 1, 'no code': 1 },
    longestWaitMs: 11,
    mostAtOnce: 1,
    fencedOff: 1,
    clients: 2,
    killedProcesses: 1,
    unreadResources: [],
  })
})
