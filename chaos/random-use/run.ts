import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startGround, type GroundName } from './ground.js'
import type { MixName } from './mixes.js'
import type { Plan } from './options.js'
import { playRound, type RoundResult } from './round.js'

/** One round of a run, as it is reported. */
export interface Round extends RoundResult {
  readonly mix: MixName
  /** Counted from 1. */
  readonly number: number
  /** The same seed has the same programs again. */
  readonly seed: number
  readonly topology: GroundName
  readonly folder: string
}

/** Plays rounds until the time is over, one mix of programs after the other. The histories of rounds that went well are removed. */
export async function* playRounds(plan: Plan): AsyncGenerator<Round> {
  const until = performance.now() + plan.runMs
  await using ground = await startGround(plan.topology)
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const library = plan.library === undefined ? {} : { library: pathToFileURL(plan.library).href }
  for (let number = 1; number === 1 || performance.now() < until; number += 1) {
    const mix = plan.mixes[(number - 1) % plan.mixes.length] as MixName
    const seed = plan.seed + number - 1
    const folder = join(plan.out, `${stamp}-random-${mix}-${String(seed)}`)
    const result = await playRound(ground, { mix, seed, playMs: plan.roundMs, folder, ...library })
    if (result.breaches.length === 0) rmSync(folder, { recursive: true })
    yield { ...result, mix, number, seed, topology: plan.topology, folder }
  }
}
