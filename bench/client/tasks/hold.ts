import { setTimeout as sleep } from 'node:timers/promises'
import { measure, type CountedSample } from '../measure.js'
import { takeOf, type Stand, type Talk } from './stand.js'

export interface HoldTask {
  readonly name: string
  readonly holdMs: number
}

/** Holds a lock, tells when it has it, and gives it back after a while. */
export async function hold(stand: Stand, { name, holdMs }: HoldTask, { tell }: Talk): Promise<CountedSample> {
  const release = await takeOf(stand, 'lock')(name)
  tell('held')
  await sleep(holdMs)
  return measure(async ({ waitsMs }) => {
    waitsMs.push(0)
    await release()
  })
}
