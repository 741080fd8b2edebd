import { describe, expect, it } from 'vitest'
import type { Child } from '../../support/child.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { WAITER_ALIVE_MS } from '../../../src/locks/fair/fair-lock-driver.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { Call } from '../java-peer.js'
import { takeOn, untilQueued } from '../measure.js'
import {
  fairLock,
  fencedLock,
  plainLock,
  readLock,
  writeLock,
  type LockKind,
  type SideName,
} from '../sides.js'

/** How long Java's waiters may stay in the queue after the holder's lease. */
const BRIEFLY_MS = 1_000

/** By when a woken waiter is awake. It takes some milliseconds. */
const SOON_MS = 1_500

const kinds: readonly LockKind[] = [plainLock, fairLock, fencedLock, writeLock, readLock]

/** What is left of a process that was killed. */
export function crashesAcrossSides(bench: InteropFixture): void {
  describe('a process that is killed', () => {
    it('in Node, leaves its locks to who waits in Java when their leases end', async () => {
      await using doomed = await bench.startNode()
      const names = kinds.map(() => bench.name())
      for (const [n, kind] of kinds.entries()) {
        const object = kind.inJava.object(String(names[n])) // the way to a lock has the same words on both sides
        await askChild(doomed, ...object, ['acquire'])
      }
      await expectInherited(bench, 'Java', names, () => doomed.kill())
    })

    it('in Java, leaves its locks to who waits in Node when their leases end', async () => {
      const { peer, client } = await bench.startJava()
      await using doomed = peer
      const names = kinds.map(() => bench.name())
      const thread = client.thread('doomed')
      for (const [n, kind] of kinds.entries()) {
        await thread.call(...kind.inJava.object(String(names[n])), kind.inJava.take)
      }
      await expectInherited(bench, 'Node', names, () => doomed.kill())
    })

    it('in Node, loses its place in the queue of a fair lock to who waits behind it in Java', async () => {
      const name = bench.name()
      await using doomed = await bench.startNode()
      const give = await takeOn(bench, 'Java', fairLock, name)
      void askChild(doomed, ['getFairLock', name], ['acquire']).catch(ignore)
      await untilQueued(bench, name, 1)
      const waiting = takeOn(bench, 'Java', fairLock, name)
      await untilQueued(bench, name, 2)
      await doomed.kill()
      const startedAt = performance.now()
      await give()
      const giveLater = await waiting
      expect(performance.now() - startedAt).toBeLessThan(WAITER_ALIVE_MS + SOON_MS)
      await giveLater()
      const heartbeats = `redisson_lock_heartbeat:{${name}}` // Java does not know of it
      await eventually(async () => (await askOwner(bench.topology, heartbeats, 'EXISTS')) === 0)
    })

    it('in Java, loses its place in the queue of a fair lock to who waits behind it in Node', async () => {
      const name = bench.name()
      const { peer, client } = await bench.startJava({ fairLockWaitTimeout: BRIEFLY_MS })
      await using doomed = peer
      const give = await takeOn(bench, 'Node', fairLock, name)
      void client.thread('doomed').call(['getFairLock', name], ['lock']).catch(ignore)
      await untilQueued(bench, name, 1)
      const waiting = takeOn(bench, 'Node', fairLock, name)
      await untilQueued(bench, name, 2)
      await doomed.kill()
      const startedAt = performance.now()
      await give()
      const giveLater = await waiting
      expect(performance.now() - startedAt).toBeLessThan(bench.watchdogMs + BRIEFLY_MS + SOON_MS)
      await giveLater()
    })

    it('in Node, has its permit come back to Java when the lease ends', async () => {
      const name = bench.name()
      await using doomed = await bench.startNode()
      const semaphore = bench.node[0].getPermitExpirableSemaphore(name)
      await semaphore.trySetPermits(1)
      await askChild(doomed, ['getPermitExpirableSemaphore', name], ['acquirePermit'])
      const waiting = bench.thread().call(['getPermitExpirableSemaphore', name], ['acquire'])
      await doomed.kill()
      const startedAt = performance.now()
      await semaphore.release(String(await waiting))
      expect(performance.now() - startedAt).toBeLessThan(bench.watchdogMs + SOON_MS)
      await semaphore.delete()
    })
  })
}

/** Demands that locks whose holder is killed go to waiters on a side when their leases end, and no sooner. */
async function expectInherited(
  bench: InteropFixture,
  side: SideName,
  names: readonly string[],
  kill: () => Promise<unknown>,
): Promise<void> {
  // Beside a reader, others may read as well.
  const wanted = kinds.map((kind) => (kind === readLock ? writeLock : kind))
  const waiting = wanted.map((kind, n) => takeOn(bench, side, kind, String(names[n])))
  await kill()
  const startedAt = performance.now()
  const waits = waiting.map(async (taking) => {
    const give = await taking
    await give()
    return performance.now() - startedAt
  })
  for (const waitedMs of await Promise.all(waits)) {
    expect(waitedMs).toBeGreaterThan(bench.watchdogMs / 3)
    expect(waitedMs).toBeLessThan(bench.watchdogMs + SOON_MS)
  }
}

let requests = 0

/** Has a process of Node call a method of its client, and then of what that answers. */
async function askChild(child: Child, ...calls: readonly Call[]): Promise<void> {
  const id = String((requests += 1))
  child.tell('call', { id, calls })
  const { error } = await child.hear(id)
  if (typeof error === 'string') throw new Error(error)
}

function ignore(): void {}
