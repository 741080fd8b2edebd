import type { RoundPlan } from '../../../chaos/random-use/mixes.js'
import type { Step } from '../../../chaos/random-use/program.js'
import type { Round } from './draw.js'

/** Whether nothing goes wrong in a round, so that its callers are served as soon as they can be. */
export function isQuiet({ plan, circumstances: { disturbances, stops } }: Round): boolean {
  return !plan.faulty && disturbances.pause === undefined && stops.length === 0
}

/** How long the programs of a round take if each waits for all others. */
export function lengthOf({ processes }: RoundPlan): number {
  return sum(processes.flatMap(({ flows }) => flows.map(({ program }) => lengthOfSteps(program))))
}

function lengthOfSteps(steps: readonly Step[]): number {
  return sum(
    steps.map((step) => {
      if (step.do === 'pause') return step.ms
      if (step.do === 'fork') return sum(step.branches.map(lengthOfSteps))
      return 'steps' in step ? lengthOfSteps(step.steps) : 0
    }),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
