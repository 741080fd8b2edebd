import type { Kind } from '../../contenders/contender.js'
import { measure, nowMs, type CountedSample } from '../measure.js'
import { actions, type Inside } from './inside.js'
import { takeOf, type Stand } from './stand.js'

export interface LoopTask {
  readonly kind: Kind
  readonly name: string
  /** How many go in and out at the same time. */
  readonly flows: number
  /** How often all together. */
  readonly sections: number
  /** After this time no flow begins again. */
  readonly limitMs: number
  readonly inside: Inside
}

/** Goes in and out by itself. */
export async function loop(stand: Stand, task: LoopTask): Promise<CountedSample> {
  const { kind, name, flows, sections, limitMs, inside } = task
  const take = takeOf(stand, kind)
  return measure(async (tally) => {
    const act = actions[inside](stand.redis, tally)
    const endsAtMs = nowMs() + limitMs
    let begun = 0
    const flow = async (): Promise<void> => {
      while (begun < sections && nowMs() < endsAtMs) {
        begun += 1
        const askedAtMs = nowMs()
        const release = await take(name)
        tally.waitsMs.push(nowMs() - askedAtMs)
        await act()
        await release()
      }
    }
    await Promise.all(Array.from({ length: flows }, flow))
  })
}
