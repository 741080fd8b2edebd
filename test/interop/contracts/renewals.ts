import { expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { markersOf, takeOn, untilOutlived } from '../measure.js'
import {
  directions,
  fairLock,
  fencedLock,
  plainLock,
  readLock,
  writeLock,
  type LockKind,
  type SideName,
} from '../sides.js'

const kinds: readonly LockKind[] = [plainLock, fairLock, fencedLock, writeLock]

/** The watchdog of one side, as the other sees it. */
export function renewalsAcrossSides(bench: InteropFixture): void {
  const observe = (side: SideName, kind: LockKind, name: string): (() => Promise<number>) => {
    const thread = bench.thread()
    return side === 'Node'
      ? () => kind.lock(bench.node[0], name).remainTimeToLive()
      : async () => Number(await thread.call(...kind.inJava.object(name), ['remainTimeToLive']))
  }

  const demandOutlived = async (holder: SideName, observer: SideName, kind: LockKind): Promise<void> => {
    const name = bench.name()
    const give = await takeOn(bench, holder, kind, name)
    await untilOutlived(bench, observe(observer, kind, name))
    await give()
  }

  it.each(directions)('locks held in %s are renewed there, as %s sees', async (holder, observer) => {
    await Promise.all(kinds.map((kind) => demandOutlived(holder, observer, kind)))
  })

  it.each(directions)(
    'a reader in %s is renewed, and reads on when one in %s leaves',
    async (stays, leaves) => {
      const name = bench.name()
      const giveStaying = await takeOn(bench, stays, readLock, name)
      const [marker = ''] = await markersOf(bench, name)
      const giveLeaving = await takeOn(bench, leaves, readLock, name)
      await untilOutlived(bench, async () => Number(await askOwner(bench.topology, marker, 'PTTL')))
      await giveLeaving()
      const lock = bench.node[1].getReadWriteLock(name)
      expect(await lock.writeLock().tryAcquire()).toBeUndefined()
      expect(await lock.readLock().remainTimeToLive()).toBeGreaterThan(0)
      await giveStaying()
      const hold = await lock.writeLock().tryAcquire()
      expect(hold).toBeDefined()
      await hold?.unlock()
    },
  )
}
