import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { WAITER_ALIVE_MS } from '../../../src/locks/fair/fair-lock-driver.js'
import type { InteropFixture } from '../interop-fixture.js'
import { queueOf, takeOn, untilQueued } from '../measure.js'
import { fairLock, IN_VAIN_MS, takeInJava, type SideName } from '../sides.js'

/** One queue, with both kinds of waiters in it. */
export function fairLockAcrossSides(bench: InteropFixture): void {
  describe('a fair lock with waiters on both sides', () => {
    it.each<[SideName, readonly SideName[]]>([
      ['Node', ['Java', 'Node', 'Java', 'Node', 'Java', 'Node']],
      ['Java', ['Node', 'Node', 'Java', 'Java', 'Node', 'Java']],
    ])('held in %s lets them in in the order in which they came: %s', async (holder, waiters) => {
      const name = bench.name()
      const give = await takeOn(bench, holder, fairLock, name)
      const came: string[] = []
      const visits: Promise<void>[] = []
      for (const [place, side] of waiters.entries()) {
        const visit = async () => {
          const giveNext = await takeOn(bench, side, fairLock, name)
          came.push(`${side} ${place}`)
          await giveNext()
        }
        visits.push(visit())
        await untilQueued(bench, name, place + 1)
      }
      await give()
      await Promise.all(visits)
      expect(came).toEqual(waiters.map((side, place) => `${side} ${place}`))
    })

    it('gives every waiter a place that the other side respects', async () => {
      const [name, java] = [bench.name(), bench.thread()]
      const hold = await bench.node[0].getFairLock(name).acquire()
      const first = takeInJava(java, fairLock, name)
      await untilQueued(bench, name, 1)
      const second = bench.node[1].getFairLock(name).acquire()
      await untilQueued(bench, name, 2)
      expect((await queueOf(bench, name))[0]).toMatch(bench.java[0].id)
      // Neither side grants the lock past the waiters.
      expect(await bench.node[0].getFairLock(name).tryAcquire()).toBeUndefined()
      expect(await bench.thread().call(['getFairLock', name], ['tryLock'])).toBe(false)
      await hold.unlock()
      const give = await first
      expect(await bench.node[0].getFairLock(name).tryAcquire()).toBeUndefined()
      await give()
      await (await second).unlock()
    })

    it.each<[SideName, SideName]>([
      ['Java', 'Node'],
      ['Node', 'Java'],
    ])('closes up when one in %s gives up, ahead of one in %s', async (impatient, patient) => {
      const name = bench.name()
      const hold = await bench.node[0].getFairLock(name).acquire()
      const givingUp =
        impatient === 'Java'
          ? bench.thread().call(['getFairLock', name], ['tryLock', IN_VAIN_MS, 'MILLISECONDS'])
          : bench.node[1].getFairLock(name).tryAcquire({ waitMs: IN_VAIN_MS })
      await untilQueued(bench, name, 1)
      const waiting = takeOn(bench, patient, fairLock, name)
      await untilQueued(bench, name, 2)
      expect(await givingUp).toBe(impatient === 'Java' ? false : undefined)
      expect(await queueOf(bench, name)).toHaveLength(1)
      await untilAwaited(bench.topology, name)
      await hold.unlock()
      const give = await waiting
      await give()
    })
  })
}

/** What takes longer than a waiter in Node counts as alive without having said so again. */
export function longFairQueueAcrossSides(bench: InteropFixture): void {
  it('a waiter in Node keeps its place between two in Java for as long as it lives', async () => {
    const name = bench.name()
    const came: string[] = []
    const visit = async (side: SideName, place: number, inside: () => Promise<unknown>) => {
      const give = await takeOn(bench, side, fairLock, name)
      came.push(`${side} ${place}`)
      await inside()
      await give()
    }
    const give = await takeOn(bench, 'Node', fairLock, name)
    const first = visit('Java', 1, () => untilAliveFor(bench, name, 2 * WAITER_ALIVE_MS))
    await untilQueued(bench, name, 1)
    const second = visit('Node', 2, () => Promise.resolve())
    await untilQueued(bench, name, 2)
    const third = visit('Java', 3, () => Promise.resolve())
    await untilQueued(bench, name, 3)
    await give()
    await Promise.all([first, second, third])
    expect(came).toEqual(['Java 1', 'Node 2', 'Java 3'])
  })
}

/** Resolves when the heartbeat of the one waiter in Node reaches that time from the call. */
async function untilAliveFor({ topology }: InteropFixture, name: string, ms: number): Promise<void> {
  const heartbeats = `redisson_lock_heartbeat:{${name}}`
  const until = async () => {
    const [, score] = (await askOwner(topology, heartbeats, 'ZRANGE', 0, -1, 'WITHSCORES')) as [
      string,
      string,
    ]
    return Number(score)
  }
  const enough = (await until()) - WAITER_ALIVE_MS + ms
  await eventually(async () => (await until()) >= enough, { what: 'signs of life' })
}
