import { measure, type CountedSample } from '../measure.js'
import { plans, type Plan, type PlanName } from './plans.js'
import type { Stand } from './stand.js'

export interface CallTask {
  readonly plan: PlanName
  /** How many call at the same time, each again when its call is over. */
  readonly callers: number
  readonly forMs: number
}

export interface CallSample extends CountedSample {
  /** Calls without an effect, or with another result than what was written. */
  readonly wrong: number
}

/** Calls the same again and again; a section is a call. Single calls are not timed, which would cost a share of each. */
export async function call(
  { session }: Stand,
  { plan: name, callers, forMs }: CallTask,
): Promise<CallSample> {
  const plan: Plan = await plans[name](session.values ?? {})
  const isRight = (plan.isRight ?? anything) as (result: unknown) => boolean
  let [calls, wrong] = [0, 0]
  const sample = await measure(async () => {
    const endsAt = performance.now() + forMs
    const caller = async (): Promise<void> => {
      while (performance.now() < endsAt) {
        const result = await plan.call(calls++)
        if (!isRight(result)) wrong += 1
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  })
  return { ...sample, sections: calls, wrong: wrong + ((await plan.missing?.(calls)) ?? 0) }
}

function anything(): boolean {
  return true
}
