import { describe, expect, it } from 'vitest'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

const LEASE_MS = 30_000

/** What Java Redisson makes of a name. */
const names = [
  { name: 'rw', channel: 'redisson_rwlock:{rw}', markers: '{rw}' },
  { name: '{test}:abc:key', channel: 'redisson_rwlock:{test}:abc:key', markers: '{test}:abc:key' },
]

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'

  describe.each(names)('a read-write lock called $name', ({ name, channel, markers }) => {
    noLeaks(topology)

    const read = () => clients.mine.getReadWriteLock(name).readLock()
    const write = () => clients.mine.getReadWriteLock(name).writeLock()
    const theirRead = () => clients.other.getReadWriteLock(name).readLock()
    const owner = (client = clients.mine, threadId = 7) => `${client.id}:${String(threadId)}`
    const markerOf = (reader: string, number: number) =>
      `${markers}:${reader}:rwlock_timeout:${String(number)}`
    const ask = (command: string, key = name, ...args: readonly (string | number)[]) =>
      askOwner(topology, key, command, ...args)
    const hash = async () => {
      const flat = (await ask('HGETALL')) as string[]
      return Object.fromEntries(flat.flatMap((field, at) => (at % 2 === 0 ? [[field, flat[at + 1]]] : [])))
    }
    const besides = async () => {
      const owner = await ownerOf(topology, name) // its replicas follow a little later
      return ((await owner.command('KEYS', '*rwlock_timeout*')) as string[]).toSorted()
    }
    const at = { threadId: 7, leaseMs: LEASE_MS }
    const thread = { threadId: 7 }

    it('is a hash with a mode, and a key for every hold of a reader', async () => {
      const [o, marker] = [owner(), markerOf(owner(), 1)]
      await using monitor = await Monitor.of(topology.nodes)
      await write().lock(at)
      expect([await hash(), await besides()]).toEqual([{ mode: 'write', [`${o}:write`]: '1' }, []])
      await read().lock(at)
      expect([await hash(), await besides()]).toEqual([
        { mode: 'write', [`${o}:write`]: '1', [o]: '1' },
        [marker],
      ])
      expect(await ask('GET', marker)).toBe('1')
      expect(await ask('PTTL', marker)).toBeGreaterThan(LEASE_MS - 10_000)
      expect(await monitor.published()).toEqual([])
      await write().unlock(thread)
      expect([await hash(), await besides()]).toEqual([{ mode: 'read', [o]: '1' }, [marker]])
      // Redisson publishes nothing for this; here waiting readers are notified.
      expect(await monitor.published()).toEqual([[publish, channel, '1']])
      await read().unlock(thread)
      expect([await hash(), await besides()]).toEqual([{}, []])
      expect((await monitor.published()).slice(1)).toEqual([[publish, channel, '0']])
    })

    it('numbers the holds of a reader, and takes away the one with the least time left first', async () => {
      const o = owner()
      await read().lock(at)
      await read().lock({ ...at, leaseMs: 2 * LEASE_MS })
      expect([await hash(), await besides()]).toEqual([
        { mode: 'read', [o]: '2' },
        [markerOf(o, 1), markerOf(o, 2)],
      ])
      expect(await ask('PTTL')).toBeGreaterThan(LEASE_MS)
      await read().unlock(thread)
      expect([await hash(), await besides()]).toEqual([{ mode: 'read', [o]: '1' }, [markerOf(o, 1)]])
      expect(await ask('PTTL')).toBeGreaterThan(LEASE_MS) // an earlier hold that is left never gets less than it had
      await read().unlock(thread)
    })

    it('lasts as long as the readers that are left', async () => {
      await read().lock({ threadId: 7, leaseMs: 60_000 })
      await theirRead().lock({ threadId: 7, leaseMs: 20_000 })
      await read().unlock(thread)
      const left = owner(clients.other)
      expect([await hash(), await besides()]).toEqual([{ mode: 'read', [left]: '1' }, [markerOf(left, 1)]])
      const leftMs = await ask('PTTL')
      expect(leftMs).toBeLessThanOrEqual(20_000)
      expect(leftMs).toBeGreaterThan(10_000)
      await theirRead().unlock(thread)
    })

    it('notifies all of a writer that leaves, and one of readers that leave', async () => {
      await using monitor = await Monitor.of(topology.nodes)
      await write().lock(at)
      await write().lock(at)
      await write().unlock(thread)
      expect(await monitor.published()).toEqual([])
      await write().unlock(thread)
      await read().lock(at)
      await read().unlock(thread)
      await write().lock(at)
      await write().forceUnlock()
      await read().lock(at)
      await read().forceUnlock()
      expect(await monitor.published()).toEqual(
        ['1', '0', '1', '0'].map((message) => [publish, channel, message]),
      )
    })

    it('is waited for on one channel by readers and writers', async () => {
      const hold = await write().acquire({ leaseMs: LEASE_MS })
      const waiters = [
        elsewhere(() => read().acquire()),
        elsewhere(() => read().acquire()),
        elsewhere(() => write().acquire()),
      ].map(async (waiter) => (await waiter).unlock())
      await eventually(async () => (await channelsOf(topology)).length > 0)
      expect(await channelsOf(topology)).toEqual([channel])
      await hold.unlock()
      await Promise.all(waiters)
    })

    describe('together with a client in Java', () => {
      const java = 'a-java-client:57'
      const javaReads = async (leaseMs = LEASE_MS) => {
        await ask('HSET', name, 'mode', 'read', java, 1)
        await ask('SET', markerOf(java, 1), 1, 'PX', leaseMs)
        await ask('PEXPIRE', name, leaseMs)
      }

      it(
        'lets Java read as well, and keeps its hold for as long as its key is there',
        { tags: ['timed'] },
        async () => {
          await javaReads(400)
          const hold = await read().acquire({ leaseMs: LEASE_MS })
          expect(await write().tryLock()).toBe(false)
          await hold.unlock()
          expect(await hash()).toEqual({ mode: 'read', [java]: '1' })
          expect(await ask('PTTL')).toBeLessThanOrEqual(400)
          await (await elsewhere(() => write().acquire())).unlock() // when Java’s lease has ended
        },
      )

      it('forgets a reader of Java that is dead, though the hash is kept alive', async () => {
        await javaReads()
        await ask('DEL', markerOf(java, 1))
        expect(await write().tryLock()).toBe(true)
        await elsewhere(() => write().forceUnlock())
      })

      it('comes in when Java stops writing, woken by its message', async () => {
        await ask('HSET', name, 'mode', 'write', `${java}:write`, 1)
        await ask('PEXPIRE', name, 60_000)
        const waiters = [elsewhere(() => read().acquire()), elsewhere(() => theirRead().acquire())]
        await eventually(async () => (await channelsOf(topology)).length > 0)
        await ask('DEL')
        await askOwner(topology, channel, publish, '1')
        for (const waiter of waiters) await (await waiter).unlock()
      })

      it('keeps the lease that Java has added up, entering again', async () => {
        await write().lock(at)
        await ask('PEXPIRE', name, 2 * LEASE_MS) // as Java adds, entering again
        await write().lock(at)
        expect(await ask('PTTL')).toBeGreaterThan(LEASE_MS)
        await write().unlock(thread)
        await write().unlock(thread)
      })
    })
  })
})
