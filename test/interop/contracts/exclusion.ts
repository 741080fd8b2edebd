import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { elsewhere } from '../../support/elsewhere.js'
import type { InteropFixture } from '../interop-fixture.js'
import { countTogether, measureHandOver, medianOf, takeOn } from '../measure.js'
import {
  directions,
  fairLock,
  fencedLock,
  permitsOf,
  nonReentrantLock,
  plainLock,
  semaphoreOf,
  spinLock,
  valueLock,
  writeLock,
  type Thing,
} from '../sides.js'

const exclusive: readonly Thing[] = [
  plainLock,
  nonReentrantLock,
  fairLock,
  fencedLock,
  writeLock,
  valueLock,
  semaphoreOf(1),
  permitsOf(1),
]

/** What all things owe that one may have at a time. */
export function exclusionAcrossSides(bench: InteropFixture): void {
  describe.each(exclusive)('$what', (thing) => {
    it('lets one in at a time, of two clients on either side with two threads each', async () => {
      const { count, expected } = await countTogether(bench, thing, 20)
      expect(count).toBe(expected)
    })

    it.for(directions)('given back in %s, wakes the waiters in %s', async (direction, { annotate }) => {
      const timesMs = await measureHandOver(bench, thing, direction, 7)
      await annotate(`median ${medianOf(timesMs)} ms`)
    })
  })

  it('a spin lock lets one in at a time', async () => {
    const { count, expected } = await countTogether(bench, spinLock, 10)
    expect(count).toBe(expected)
  })

  it.each([plainLock, fairLock, fencedLock, writeLock])(
    '$what is not kept from Java by a client in Node that hands it on inside itself',
    async (thing) => {
      const name = bench.name()
      let over = false
      const visitAgainAndAgain = async () => {
        while (!over) {
          const give = await thing.inNode(bench.node[0], name)
          await setImmediate()
          await give()
        }
      }
      const busy = Array.from({ length: 6 }, () => elsewhere(visitAgainAndAgain))
      try {
        for (let n = 0; n < 5; n += 1) {
          const give = await takeOn(bench, 'Java', thing, name)
          await give()
        }
      } finally {
        over = true
        await Promise.all(busy)
      }
    },
  )

  it.each([semaphoreOf(3), permitsOf(3)])('$what never lets a fourth in', async (thing) => {
    await countTogether(bench, thing, 15, 3) // throws if it does
  })
}
