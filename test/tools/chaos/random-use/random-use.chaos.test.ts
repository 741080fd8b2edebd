import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MIX_NAMES } from '../../../../chaos/random-use/mixes.js'
import type { Plan } from '../../../../chaos/random-use/options.js'
import { storyOf } from '../../../../chaos/random-use/report.js'
import { playRounds } from '../../../../chaos/random-use/run.js'
import { Random } from '../../../../chaos/random.js'

/** How long the programs of one round go on. */
const ROUND_MS = 1_000
const FIXED_SEED = 20_261_122
const LARGEST_SEED = 2 ** 31

/** Servers, processes and what comes back late may all be slow on a busy machine. */
const TIMEOUT_MS = 180_000

let out: string
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'random-use-'))
})
afterAll(() => {
  rmSync(out, { recursive: true })
})

it(
  'random programs break no promise',
  async () => {
    await demandKept({ seed: FIXED_SEED, mixes: MIX_NAMES })
  },
  TIMEOUT_MS,
)

it(
  'nor do unknown ones',
  async () => {
    const seed = Math.floor(Math.random() * LARGEST_SEED)
    await demandKept({ seed, mixes: new Random(seed).shuffled(MIX_NAMES).slice(0, 4) })
  },
  TIMEOUT_MS,
)

/** Plays each of the mixes once. */
async function demandKept({ seed, mixes }: Pick<Plan, 'seed' | 'mixes'>): Promise<void> {
  const rounds = playRounds({ topology: 'single', runMs: Infinity, roundMs: ROUND_MS, out, seed, mixes })
  let played = 0
  for await (const round of rounds) {
    expect(round.breaches.length, storyOf(round)).toBe(0)
    played += 1
    if (played === mixes.length) return
  }
}
