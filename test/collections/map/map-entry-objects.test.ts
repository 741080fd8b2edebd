import { describe, expect, it } from 'vitest'
import { longCodec, type RMap } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** HighwayHash of `key1`, as the vectors of the wire have it. */
const HASH = 'td70ePIfZeWyYYH5QeK0MQ'

describe.each(slottedTopologies)('the locks and synchronizers of an entry ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['entry-map', `{entry-map}:${HASH}`],
    ['{entry}:map', `{entry}:map:${HASH}`],
    ['карта', `{карта}:${HASH}`],
  ])('have the keys of Redisson for a map called %s', async (name, start) => {
    const map = clients.mine.getMap(name)
    const locks = [
      [map.getLock('key1'), 'lock'],
      [map.getFairLock('key1'), 'fairlock'],
      [map.getReadWriteLock('key1').writeLock(), 'rw_lock'],
    ] as const
    for (const [lock, end] of locks) {
      expect(lock.name).toBe(`${start}:${end}`)
      await lock.withLock(async () => {
        expect(await look.ask(`${start}:${end}`, 'TYPE')).toBe('hash')
      })
    }
    const semaphore = map.getSemaphore('key1', { permits: 2 })
    await semaphore.acquire()
    expect(await look.ask(`${start}:semaphore`, 'GET')).toBe('1')
    await semaphore.delete()
    const expirable = map.getPermitExpirableSemaphore('key1', { permits: 2 })
    await expirable.release(await expirable.acquire())
    expect(await look.ask(`${start}:permitexpirablesemaphore`, 'EXISTS')).toBe(1)
    await expirable.delete()
    await map.getCountDownLatch('key1').trySetCount(3)
    expect(await look.ask(`${start}:countdownlatch`, 'GET')).toBe('3')
    await map.getCountDownLatch('key1').delete()
    expect(await map.isExists()).toBe(false)
  })

  it('are those of the bytes of the key, and others for each', async () => {
    const map: RMap<number, unknown> = clients.mine.getMap<number>('entry-numbers', {
      codec: { key: longCodec() },
    })
    expect(map.getLock(123).name).toBe('{entry-numbers}:03exIjo7KoB8L1ptb8A7OA:lock')
    expect(map.getLock(124).name).not.toBe(map.getLock(123).name)
    await map.getLock(123).withLock(async () => {
      expect(await map.getFairLock(123).isLocked()).toBe(false)
      expect(await map.getLock(124).isLocked()).toBe(false)
      expect(
        await clients.other
          .getMap<number>('entry-numbers', { codec: { key: longCodec() } })
          .getLock(123)
          .isLocked(),
      ).toBe(true)
    })
  })

  it('stay when the map is removed or gets another name', async () => {
    const map = clients.mine.getMap('{entry}:stays')
    await map.put('k', 1)
    const hold = await map.getLock('k').acquire()
    await map.rename('{entry}:renamed')
    await clients.mine.getMap('{entry}:renamed').delete()
    expect(hold.isHeld).toBe(true)
    expect(await map.getLock('k').isLocked()).toBe(true)
    await hold.unlock()
  })

  it('are refused for what is no key, and with options that are unknown', () => {
    const map = clients.mine.getMap('entry-bad')
    const none = undefined as never
    for (const call of [
      () => map.getLock(none),
      () => map.getFairLock(none),
      () => map.getReadWriteLock(none),
      () => map.getSemaphore(none),
      () => map.getPermitExpirableSemaphore(none),
      () => map.getCountDownLatch(none),
      () => map.getLock('k', { leaseMs: 5 } as never),
      () => map.getReadWriteLock('k', { prefer: 'none' } as never),
      () => map.getSemaphore('k', { permits: 0 }),
      () => (map.getCountDownLatch as (...args: unknown[]) => unknown)('k', {}),
    ])
      expect(call).toThrow(/^Expected /)
    expect(() => map.getLock(5 as never)).toThrow(expect.objectContaining({ code: 'CODEC' }))
  })
})
