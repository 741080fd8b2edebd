import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { LockFixture } from '../lock-fixture.js'

type Section = (lock: RLock, inside: () => Promise<void>) => Promise<void>

const sections: readonly (readonly [string, Section])[] = [
  [
    'lock()',
    async (lock, inside) => {
      await lock.lock()
      await inside()
      await lock.unlock()
    },
  ],
  [
    'acquire()',
    async (lock, inside) => {
      const hold = await lock.acquire()
      await inside()
      await hold.unlock()
    },
  ],
  ['withLock()', (lock, inside) => lock.withLock(inside)],
]

export function contextOfTheProgram(bench: LockFixture): void {
  describe('under an asynchronous context of the program', () => {
    noLeaks(bench.topology)
    const requests = new AsyncLocalStorage<string>()

    it.each(sections)('%s leaves it alone, also for flows that wait for each other', async (_, section) => {
      const seen: unknown[] = []
      const look = async () => {
        seen.push(requests.getStore())
        await nextTurn()
        seen.push(requests.getStore())
      }
      const flow = async () => {
        await section(bench.lock, look)
        seen.push(requests.getStore())
      }
      const names = ['first', 'second', 'third']
      await Promise.all(names.map((name) => elsewhere(() => requests.run(name, flow))))
      expect(seen.sort()).toEqual(names.flatMap((name) => [name, name, name]))
    })
  })
}
