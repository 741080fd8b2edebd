import { real } from '../world/real.js'
import { scenarios } from './all.js'
import { play, type Outcome, type Scenario } from './scenario.js'
import type { StageOptions } from './stage.js'

/** Which scenarios are played. */
export interface Plays extends StageOptions {
  /** The name of one, or `all`. */
  readonly scenario: string
  readonly withTrace: boolean
}

/** Plays scenarios. Returns the exit code: 1 if a promise was broken that should have been kept. */
export async function playScenarios({ scenario: wanted, withTrace, ...options }: Plays): Promise<number> {
  let broken = 0
  for (const scenario of chosen(wanted)) {
    const startedAt = real.performanceNow()
    const outcome = await play(scenario, options)
    if (withTrace) console.log(outcome.trace.lines.join('\n'))
    console.log(summaryOf(scenario, outcome, real.performanceNow() - startedAt))
    if (outcome.broken !== undefined && scenario.knownToFail === undefined) broken += 1
  }
  return broken === 0 ? 0 : 1
}

function chosen(wanted: string): readonly Scenario[] {
  return wanted === 'all' ? scenarios : scenarios.filter(({ name }) => name === wanted)
}

function summaryOf(
  { name, promise, knownToFail }: Scenario,
  { broken, virtualMs }: Outcome,
  realMs: number,
): string {
  const known = knownToFail === undefined ? '' : ` (known: ${knownToFail})`
  const verdict = broken === undefined ? 'ok' : `BROKEN${known}: ${broken.message}`
  const times = `${(virtualMs / 1_000).toFixed(1)} s in ${(realMs / 1_000).toFixed(2)} s`
  return `${name}: ${promise}\n  ${times}: ${verdict}`
}
