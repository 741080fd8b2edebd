import { expect } from 'vitest'
import type { EvictionService } from '../../src/eviction/eviction-service.js'
import { collectGarbage } from './collect-garbage.js'
import { eventually } from './eventually.js'

/** How much more memory may be in use at the end, whatever the number of names. */
const MOST_BYTES = 8_000_000

/** How many names are used before the memory is measured for the first time. */
const FIRST = 1_000

const AT_ONCE = 500

/** Uses an object of each of many names, which nothing refers to afterwards. They share one timer, and leave no memory. */
export async function demandOneTimer(
  eviction: EvictionService,
  use: (place: number) => Promise<unknown>,
  count: number,
): Promise<void> {
  const before = timers()
  await useAll(use, 0, FIRST)
  expect(eviction.size).toBeGreaterThan(0)
  expect(timers()).toBeLessThanOrEqual(before + 1)
  await untilCollected(eviction)
  const early = heap()
  await useAll(use, FIRST, count)
  expect(timers()).toBeLessThanOrEqual(before + 1)
  await untilCollected(eviction)
  expect(heap() - early).toBeLessThan(MOST_BYTES)
  expect(timers()).toBeLessThanOrEqual(before)
}

async function useAll(use: (place: number) => Promise<unknown>, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, n) => use(first + n)))
}

async function untilCollected(eviction: EvictionService): Promise<void> {
  await eventually(() => {
    collectGarbage()
    expect(eviction.size).toBe(0)
  })
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
