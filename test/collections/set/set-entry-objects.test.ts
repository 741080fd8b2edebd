import { describe, expect, it } from 'vitest'
import { longCodec, stringCodec, type RSet } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** HighwayHash of `key1`, as the vectors of the wire have it. */
const HASH = 'td70ePIfZeWyYYH5QeK0MQ'

describe.each(slottedTopologies)('the locks and synchronizers of a value of a set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['value-set', `{value-set}:${HASH}`],
    ['{value}:set', `{value}:set:${HASH}`],
    ['множество', `{множество}:${HASH}`],
  ])('have the keys of Redisson for a set called %s', async (name, start) => {
    const set = clients.mine.getSet(name, { codec: stringCodec() })
    const locks = [
      [set.getLock('key1'), 'lock'],
      [set.getFairLock('key1'), 'fairlock'],
      [set.getReadWriteLock('key1').writeLock(), 'rw_lock'],
    ] as const
    for (const [lock, end] of locks) {
      expect(lock.name).toBe(`${start}:${end}`)
      await lock.withLock(async () => {
        expect(await look.ask(`${start}:${end}`, 'TYPE')).toBe('hash')
      })
    }
    const semaphore = set.getSemaphore('key1', { permits: 2 })
    await semaphore.acquire()
    expect(await look.ask(`${start}:semaphore`, 'GET')).toBe('1')
    await semaphore.delete()
    const expirable = set.getPermitExpirableSemaphore('key1', { permits: 2 })
    await expirable.release(await expirable.acquire())
    expect(await look.ask(`${start}:permitexpirablesemaphore`, 'EXISTS')).toBe(1)
    await expirable.delete()
    await set.getCountDownLatch('key1').trySetCount(3)
    expect(await look.ask(`${start}:countdownlatch`, 'GET')).toBe('3')
    await set.getCountDownLatch('key1').delete()
    expect(await set.isExists()).toBe(false)
  })

  it('are those of the bytes of the value, and others for each', async () => {
    const set: RSet<number> = clients.mine.getSet<number>('value-numbers', {
      codec: longCodec(),
    })
    expect(set.getLock(123).name).toBe('{value-numbers}:03exIjo7KoB8L1ptb8A7OA:lock')
    expect(set.getLock(124).name).not.toBe(set.getLock(123).name)
    await set.getLock(123).withLock(async () => {
      expect(await set.getFairLock(123).isLocked()).toBe(false)
      expect(await set.getLock(124).isLocked()).toBe(false)
      expect(
        await clients.other.getSet<number>('value-numbers', { codec: longCodec() }).getLock(123).isLocked(),
      ).toBe(true)
    })
  })

  it('stay when the set is removed or gets another name', async () => {
    const set = clients.mine.getSet('{entry}:stays')
    await set.add('k')
    const hold = await set.getLock('k').acquire()
    await set.rename('{entry}:renamed')
    await clients.mine.getSet('{entry}:renamed').delete()
    expect(hold.isHeld).toBe(true)
    expect(await set.getLock('k').isLocked()).toBe(true)
    await hold.unlock()
  })

  it('are refused for what is no value, and with options that are unknown', () => {
    const set = clients.mine.getSet<string>('value-bad', { codec: stringCodec() })
    const none = undefined as never
    for (const call of [
      () => set.getLock(none),
      () => set.getFairLock(none),
      () => set.getReadWriteLock(none),
      () => set.getSemaphore(none),
      () => set.getPermitExpirableSemaphore(none),
      () => set.getCountDownLatch(none),
      () => set.getLock('k', { leaseMs: 5 } as never),
      () => set.getReadWriteLock('k', { prefer: 'none' } as never),
      () => set.getSemaphore('k', { permits: 0 }),
      () => (set.getCountDownLatch as (...args: unknown[]) => unknown)('k', {}),
    ])
      expect(call).toThrow(/^Expected /)
    expect(() => set.getLock(5 as never)).toThrow(expect.objectContaining({ code: 'CODEC' }))
  })
})
