import { setTimeout as sleep } from 'node:timers/promises'
import type { Release } from '../../contenders/contender.js'
import { heapUsed } from '../heap.js'
import { measure, type CountedSample } from '../measure.js'
import { takeOf, type Stand, type Talk } from './stand.js'

export interface KeepTask {
  readonly locks: number
  /** How long they are held while that is measured. */
  readonly forMs: number
}

export interface KeepSample extends CountedSample {
  /** Bytes of heap that a hold takes. */
  readonly heapPerHold: number
}

/** Holds many locks at the same time, and measures what that takes. */
export async function keep(
  stand: Stand,
  { locks, forMs }: KeepTask,
  { tell, hear }: Talk,
): Promise<KeepSample> {
  const take = takeOf(stand, 'renewed-lock')
  const names = Array.from({ length: locks }, (_, index) => `bench:${String(index)}`)
  for (const name of names.slice(0, 100)) await (await take(name))() // what is made once is made before
  const releases: Release[] = []
  const heapBefore = heapUsed()
  for (let index = 0; index < names.length; index += AT_ONCE)
    releases.push(...(await Promise.all(names.slice(index, index + AT_ONCE).map(take))))
  const heapPerHold = (heapUsed() - heapBefore) / locks
  const sample = await measure(() => sleep(forMs))
  tell('watched')
  await hear('counted')
  await Promise.all(releases.map((release) => release()))
  return { ...sample, sections: locks, heapPerHold }
}

const AT_ONCE = 500
