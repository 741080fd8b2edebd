import { measure, nowMs, type CountedSample } from '../measure.js'
import { takeOf, type Stand } from './stand.js'

export interface WaveTask {
  readonly locks: number
  readonly waves: number
  readonly limitMs: number
}

/** Takes many locks at once, and gives each back as soon as it has it. */
export async function wave(stand: Stand, { locks, waves, limitMs }: WaveTask): Promise<CountedSample> {
  const take = takeOf(stand, 'lock')
  return measure(async ({ waitsMs }) => {
    const endsAtMs = nowMs() + limitMs
    const cycle = async (name: string): Promise<void> => {
      const askedAtMs = nowMs()
      const release = await take(name)
      waitsMs.push(nowMs() - askedAtMs)
      await release()
    }
    for (let n = 0; n < waves && nowMs() < endsAtMs; n += 1)
      await Promise.all(Array.from({ length: locks }, (_, index) => cycle(`bench:${String(index)}`)))
  })
}
