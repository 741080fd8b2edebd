import { setTimeout as sleep } from 'node:timers/promises'
import type { Release } from '../../contenders/contender.js'
import { heapUsed } from '../heap.js'
import { measure, nowMs, type CountedSample } from '../measure.js'
import { sentCommands } from '../sent-commands.js'
import { takeOf, type Stand, type Talk } from './stand.js'

export interface KeepTask {
  readonly locks: number
  /** How long a lease lasts. */
  readonly leaseMs: number
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
  { locks, leaseMs, forMs }: KeepTask,
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
  await untilRenewed(leaseMs)
  const sample = await measure(() => sleep(forMs))
  tell('watched')
  await hear('counted')
  await Promise.all(releases.map((release) => release()))
  return { ...sample, sections: locks, heapPerHold }
}

const AT_ONCE = 500

/**
 * Waits until all that is renewed together has just been, if anything is: then a number of periods has as many renewals, and not one
 * more by chance.
 */
async function untilRenewed(withinMs: number): Promise<void> {
  const tooLate = nowMs() + withinMs
  const before = sentCommands()
  while (sentCommands() === before && nowMs() < tooLate) await sleep(LOOK_EVERY_MS)
  for (let last = -1; last !== sentCommands() && nowMs() < tooLate;) {
    last = sentCommands()
    await sleep(LOOK_EVERY_MS)
  }
}

const LOOK_EVERY_MS = 50
