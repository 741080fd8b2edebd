import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/ask-owner.js'
import { elsewhere } from '../../support/elsewhere.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { LONG_MS, type LockFixture } from '../lock-fixture.js'

export function counting(bench: LockFixture): void {
  describe('a counter that is read and written in two steps', () => {
    noLeaks(bench.topology)

    it(`is exact after ${String(bench.tasks)} tasks of two clients under the lock`, async () => {
      const counter = await counterBeside(bench)
      const resource = new LimitedResource()
      const task = async (lock: typeof bench.lock) => {
        await lock.lock(LONG_MS)
        try {
          await resource.use(counter.increment)
        } finally {
          await lock.unlock()
        }
      }
      const tasks = Array.from({ length: bench.tasks }, (_, index) =>
        elsewhere(() => task(index % 2 === 0 ? bench.lock : bench.theirs)),
      )
      await Promise.all(tasks)
      expect(await counter.read()).toBe(bench.tasks)
      await counter.remove()
    })
  })
}

export interface Counter {
  /** Reads and writes, one after the other. */
  readonly increment: () => Promise<void>
  readonly read: () => Promise<number>
  readonly remove: () => Promise<void>
}

/** A counter on the same servers as this test's lock, over a connection of its own. */
export async function counterBeside(bench: LockFixture): Promise<Counter> {
  const key = `${bench.name}-counter`
  const node = await ownerOf(bench.topology, key)
  const read = async () => Number(await node.command('GET', key))
  return {
    increment: async () => {
      const count = await read()
      await node.command('SET', key, count + 1)
    },
    read,
    remove: async () => {
      await node.command('DEL', key)
    },
  }
}
