import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { Scenario } from './scenario.js'

const readLockOf = (client: Library.RedissonClient) => client.getReadWriteLock('prices').readLock()
const writeLockOf = (client: Library.RedissonClient) => client.getReadWriteLock('prices').writeLock()

export const writersThatRead: readonly Scenario[] = [
  {
    name: 'writer-goes-on-to-read',
    promise:
      'A writer whose lease ends while it reads goes on to read beside others, and leaves the lock free',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) =>
        client.runAsThread(async () => {
          await writeLockOf(client).lock({ leaseMs: 1_000 })
          await readLockOf(client).lock()
          await stage.sleep(1_500)
          const reader = await other.run((others) => readLockOf(others).tryAcquire())
          assert.ok(reader, 'no other process can read')
          await other.run(() => reader.unlock())
          await readLockOf(client).unlock()
        }),
      )
      const writer = await other.run((client) => writeLockOf(client).tryAcquire())
      assert.ok(writer, 'no process can write')
    },
  },
  {
    name: 'writer-lease-ends-meanwhile',
    promise: 'A writer whose lease ends while it asks to read goes on to read, and leaves the lock free',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) =>
        client.runAsThread(async () => {
          await writeLockOf(client).lock({ leaseMs: 100 })
          await stage.sleep(50)
          const ran = mine.delayReply({ with: 'prices' }, 100)
          await Promise.all([readLockOf(client).lock(), ran])
          await stage.sleep(1_000)
          await readLockOf(client).unlock()
        }),
      )
      const writer = await other.run((client) => writeLockOf(client).tryAcquire())
      assert.ok(writer, 'no process can write')
    },
  },
  {
    name: 'writer-reads-first',
    promise: 'Nobody writes between a writer and its own reading',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) =>
        client.runAsThread(async () => {
          await writeLockOf(client).lock()
          const waiter = other.run((others) => writeLockOf(others).tryAcquire({ waitMs: 200 }))
          await readLockOf(client).lock()
          await writeLockOf(client).unlock()
          assert.ok(!(await waiter), 'another one writes')
          await readLockOf(client).unlock()
        }),
      )
      const writer = await other.run((client) => writeLockOf(client).tryAcquire())
      assert.ok(writer, 'no process can write')
    },
  },
  {
    name: 'writer-leaves-as-its-reading-ends',
    promise: 'Nothing is left of a writer that leaves in the last millisecond of its own reading',
    run: async (stage) => {
      stage.network.configure({ latencyMs: [0.05, 0.05], split: 0 })
      const mine = await stage.process('mine')
      for (let leftMs = 2; leftMs > -1; leftMs -= 0.1)
        await mine.run((client) =>
          client.runAsThread(async () => {
            await writeLockOf(client).lock({ leaseMs: 5_000 })
            await readLockOf(client).lock({ leaseMs: 200 })
            await stage.sleep(200 - leftMs)
            await writeLockOf(client).unlock()
            await stage.gone('prices')
          }),
        )
    },
  },
]
