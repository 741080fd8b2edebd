import { describe, expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'

/** Tokens that rise, for any owner. */
export function fencedLockAcrossSides(bench: InteropFixture): void {
  describe('a fenced lock', () => {
    it('has tokens that rise from side to side', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const locks = bench.node.map((client) => client.getFencedLock(name))
      const tokens: number[] = []
      for (let round = 0; round < 3; round += 1) {
        for (const lock of locks) {
          const hold = await lock.acquire()
          tokens.push(hold.fencingToken)
          await hold.unlock()
        }
        tokens.push(Number(await thread.call(['getFencedLock', name], ['lockAndGetToken'])))
        await thread.call(['getFencedLock', name], ['unlock'])
      }
      expect(tokens).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(await locks[0]?.getToken()).toBe(9)
      expect(await thread.call(['getFencedLock', name], ['getToken'])).toBe(9)
    })

    it('gives a token that is larger than all before after Java has entered twice, which costs two', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const lock = ['getFencedLock', name] as const
      const entered = [
        await thread.call(lock, ['lockAndGetToken']),
        await thread.call(lock, ['lockAndGetToken']),
      ]
      expect(entered).toEqual([1, 2])
      const waiting = bench.node[0].getFencedLock(name).acquire()
      await thread.call(lock, ['unlock'])
      await thread.call(lock, ['unlock'])
      const hold = await waiting
      expect(hold.fencingToken).toBe(3)
      await hold.unlock()
    })

    it('has no token twice under a mixed load', async () => {
      const name = bench.name()
      const tokens: number[] = []
      const inNode = async (client: InteropFixture['node'][0]) => {
        for (let n = 0; n < 15; n += 1) {
          await client.getFencedLock(name).withLock(({ fencingToken }) => {
            tokens.push(fencingToken)
          })
        }
      }
      const inJava = async (client: InteropFixture['java'][0]) => {
        const thread = client.thread('fenced')
        for (let n = 0; n < 15; n += 1) {
          tokens.push(Number(await thread.call(['getFencedLock', name], ['lockAndGetToken'])))
          await thread.call(['getFencedLock', name], ['unlock'])
        }
      }
      await Promise.all([...bench.node.map(inNode), ...bench.java.map(inJava)])
      expect(tokens).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
    })
  })
}
