import { describe, expect, it } from 'vitest'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { markersOf, takeOn, waitOn } from '../measure.js'
import { directions, readLock, takeInJava, writeLock, type Give, type SideName } from '../sides.js'

const LONG_MS = 600_000
const BRIEFLY_MS = 300

/** Readers and writers of both sides. */
export function readWriteLockAcrossSides(bench: InteropFixture): void {
  describe('a read-write lock', () => {
    const leftMs = (name: string) => bench.node[0].getReadWriteLock(name).readLock().remainTimeToLive()

    /** Reads on one side, for that time. */
    const readOn = async (side: SideName, name: string, leaseMs: number): Promise<Give> => {
      if (side === 'Node') {
        const hold = await bench.node[0].getReadWriteLock(name).readLock().acquire({ leaseMs })
        return () => hold.unlock()
      }
      const [thread, object] = [bench.thread(), readLock.inJava.object(name)]
      await thread.call(...object, ['lock', leaseMs, 'MILLISECONDS'])
      return () => thread.call(...object, ['unlock'])
    }

    const mayWrite = async (side: SideName, name: string): Promise<boolean> => {
      if (side === 'Node') {
        const hold = await bench.node[1].getReadWriteLock(name).writeLock().tryAcquire()
        await hold?.unlock()
        return hold !== undefined
      }
      const [thread, object] = [bench.thread(), writeLock.inJava.object(name)]
      if ((await thread.call(...object, ['tryLock'])) !== true) return false
      await thread.call(...object, ['unlock'])
      return true
    }

    it.each(directions)(
      'lets readers of both sides in together, and when the last leaves in %s, a writer in %s',
      async (last, writer) => {
        const name = bench.name()
        const giveFirst = await takeOn(bench, writer, readLock, name)
        const giveLast = await takeOn(bench, last, readLock, name)
        const writing = await waitOn(bench, writer, writeLock, name)
        await giveFirst()
        expect(await mayWrite(last, name)).toBe(false)
        await giveLast()
        const give = await writing.taken
        await give()
      },
    )

    it.each(directions)('given back by a writer in %s, wakes all readers in %s', async (from, to) => {
      const name = bench.name()
      const give = await takeOn(bench, from, writeLock, name)
      const reading = await Promise.all([1, 2, 3, 4].map(() => waitOn(bench, to, readLock, name)))
      await give()
      const gives = await Promise.all(reading.map(({ taken }) => taken)) // none has left yet
      await Promise.all(gives.map((giveOne) => giveOne()))
    })

    it('lets readers in Java in when its writer in Node reads on', async () => {
      const [name, client] = [bench.name(), bench.node[0]]
      await elsewhere(() =>
        client.runAsThread(async () => {
          const lock = client.getReadWriteLock(name)
          await lock.writeLock().lock()
          const reading = await waitOn(bench, 'Java', readLock, name)
          await lock.readLock().lock()
          await lock.writeLock().unlock()
          const give = await reading.taken
          expect(await mayWrite('Java', name)).toBe(false)
          await lock.readLock().unlock()
          expect(await mayWrite('Java', name)).toBe(false)
          await give()
        }),
      )
      expect(await mayWrite('Java', name)).toBe(true)
    })

    it('lets readers in Node in when its writer in Java reads on', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const [reads, writes] = [readLock, writeLock].map(({ inJava }) => inJava.object(name)) as [[], []]
      await thread.call(...writes, ['lock'])
      await thread.call(...reads, ['lock'])
      expect(await bench.node[0].getReadWriteLock(name).readLock().tryAcquire()).toBeUndefined()
      await thread.call(...writes, ['unlock'])
      const hold = await bench.node[0].getReadWriteLock(name).readLock().tryAcquire()
      expect(hold).toBeDefined()
      expect(await mayWrite('Node', name)).toBe(false)
      await thread.call(...reads, ['unlock'])
      expect(await mayWrite('Node', name)).toBe(false)
      await hold?.unlock()
      expect(await mayWrite('Node', name)).toBe(true)
    })

    it.each(directions)(
      'lasts as long as the reader in %s who stays, when one in %s leaves',
      async (stays, leaves) => {
        const [long, brief] = [bench.name(), bench.name()]
        const staying = [await readOn(stays, long, LONG_MS), await readOn(stays, brief, LONG_MS / 2)]
        const leaving = [await readOn(leaves, long, LONG_MS / 2), await readOn(leaves, brief, LONG_MS)]
        for (const give of leaving) await give()
        expect(await leftMs(long)).toBeGreaterThan(LONG_MS / 2)
        expect(await leftMs(brief)).toBeLessThanOrEqual(LONG_MS / 2)
        expect(await mayWrite(leaves, long)).toBe(false)
        for (const give of staying) await give()
        expect(await mayWrite(leaves, long)).toBe(true)
      },
    )

    it.each(directions)(
      'does not wait for a reader in %s whose lease has ended, when one in %s leaves',
      async (dead, leaves) => {
        const name = bench.name()
        await readOn(dead, name, BRIEFLY_MS)
        const give = await readOn(leaves, name, LONG_MS)
        const markers = async () => (await markersOf(bench, name)).length
        await eventually(async () => (await markers()) === 1, { what: 'the end of a lease' })
        await give()
        expect(await mayWrite(dead, name)).toBe(true)
      },
    )

    it('never shows a reader what a writer has half done, under a mixed load', async () => {
      const name = bench.name()
      const [server] = bench.counters.server.nodes
      await server.command('MSET', 'left', 0, 'right', 0)
      const rounds = async (take: () => Promise<Give>, inside: () => Promise<void>) => {
        for (let n = 0; n < 10; n += 1) {
          const give = await take()
          await inside()
          await give()
        }
      }
      const write = async () => {
        const seen = Number(await server.command('GET', 'left'))
        await server.command('SET', 'left', seen + 1)
        await server.command('SET', 'right', seen + 1)
      }
      const read = async () => {
        const left = await server.command('GET', 'left')
        expect(await server.command('GET', 'right')).toBe(left)
      }
      await Promise.all([
        ...bench.crowd.node.map((client) =>
          elsewhere(() => rounds(() => writeLock.inNode(client, name), write)),
        ),
        ...bench.crowd.node.map((client) =>
          elsewhere(() => rounds(() => readLock.inNode(client, name), read)),
        ),
        ...bench.crowd.java.map((client) =>
          rounds(() => takeInJava(client.thread('writer'), writeLock, name), write),
        ),
        ...bench.crowd.java.map((client) =>
          rounds(() => takeInJava(client.thread('reader'), readLock, name), read),
        ),
      ])
      expect(await server.command('GET', 'left')).toBe('40')
    })
  })
}
