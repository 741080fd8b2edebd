import assert from 'node:assert/strict'
import type { Scenario } from './scenario.js'

export const readWriteLocks: readonly Scenario[] = [
  {
    name: 'preferred-writer',
    promise: 'A reader that comes after a waiting writer waits for it, where writers are preferred',
    run: async (stage) => {
      const [mine, writing, late] = await Promise.all([
        stage.process('mine'),
        stage.process('writing'),
        stage.process('late'),
      ])
      const preferring = { prefer: 'writer' } as const
      const hold = await mine.run((client) =>
        client.getReadWriteLock('lock', preferring).readLock().acquire(),
      )
      const writer = writing.run((client) =>
        client.getReadWriteLock('lock', preferring).writeLock().acquire(),
      )
      await stage.sleep(5_000)
      const reader = await late.run((client) =>
        client.getReadWriteLock('lock', preferring).readLock().tryAcquire(),
      )
      assert.ok(!reader, 'the reader has overtaken the writer')
      await mine.run(() => hold.unlock())
      await writer
    },
  },
  {
    name: 'reader-with-long-lease-leaves',
    promise: 'A writer waits no longer than the lease of the readers that are left',
    run: async (stage) => {
      const [mine, dying, writing] = await Promise.all([
        stage.process('mine'),
        stage.process('dying'),
        stage.process('writing'),
      ])
      const hold = await mine.run((client) =>
        client.getReadWriteLock('lock').readLock().acquire({ leaseMs: 60_000 }),
      )
      await dying.run((client) => client.getReadWriteLock('lock').readLock().acquire({ leaseMs: 1_000 }))
      const writer = writing.run((client) => client.getReadWriteLock('lock').writeLock().acquire())
      await stage.sleep(100)
      dying.kill()
      await mine.run(() => hold.unlock())
      const leftAt = stage.now
      await writer
      assert.ok(stage.now - leftAt < 1_000, `it has waited for ${(stage.now - leftAt).toFixed(0)} ms`)
    },
  },
]
