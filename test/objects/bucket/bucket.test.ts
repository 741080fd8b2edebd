import { describe, expect, it } from 'vitest'
import { bytesCodec, stringCodec, type CodecLike, type RBucket } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a bucket ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A bucket that is removed after the test. */
  const withBucket = async (
    use: (bucket: RBucket<unknown>, name: string) => Promise<void>,
    name = `bucket-${topology.kind}-${String(names++)}`,
    codec?: CodecLike<unknown>,
  ) => {
    const bucket = clients.mine.getBucket(name, codec && { codec })
    try {
      await use(bucket, name)
    } finally {
      await bucket.delete()
    }
  }

  it('is shared by all clients, and has no value at first', async () => {
    await withBucket(async (bucket, name) => {
      expect(await bucket.get()).toBeUndefined()
      await bucket.set({ theme: 'dark', size: 3, none: null })
      expect(await clients.other.getBucket(name).get()).toEqual({ theme: 'dark', size: 3, none: null })
    })
  })

  it.each([null, false, 0, '', [], 'é中😀', 2n ** 60n])('keeps %o apart from no value', async (value) => {
    await withBucket(async (bucket) => {
      await bucket.set(value)
      expect(await bucket.get()).toEqual(value)
      expect(await bucket.isExists()).toBe(true)
    })
  })

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withBucket(async (bucket) => {
        await bucket.set('there')
        expect(await askOwner(topology, name, 'GET')).toBe('"there"')
        expect(await bucket.getAndDelete()).toBe('there')
      }, name)
    },
  )

  it('holds bytes as they are', async () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0x80, 0x41)
    await withBucket(
      async (bucket) => {
        await bucket.set(bytes)
        expect(await bucket.get()).toEqual(Buffer.from(bytes))
        expect(await bucket.size()).toBe(4)
        expect(await bucket.compareAndSet(bytes, Uint8Array.of(0xfe))).toBe(true)
        expect(await bucket.getAndSet(bytes)).toEqual(Buffer.of(0xfe))
      },
      undefined,
      bytesCodec(),
    )
  })

  it('is set with a time to live, keeps it, and loses it', async () => {
    await withBucket(async (bucket) => {
      await bucket.set(1, 60_000)
      const left = await bucket.remainTimeToLive()
      expect(left).toBeGreaterThan(50_000)
      expect(left).toBeLessThanOrEqual(60_000)
      await bucket.setAndKeepTTL(2)
      expect(await bucket.remainTimeToLive()).toBeGreaterThan(50_000)
      await bucket.set(3)
      expect(await bucket.remainTimeToLive()).toBe(-1)
      await bucket.set(4, 0)
      expect(await bucket.remainTimeToLive()).toBe(-1)
      expect(await bucket.getAndSet(5, 60_000)).toBe(4)
      expect(await bucket.remainTimeToLive()).toBeGreaterThan(50_000)
      expect(await bucket.getAndSet(6)).toBe(5)
      expect(await bucket.remainTimeToLive()).toBe(-1)
    })
  })

  it('expires', async () => {
    await withBucket(async (bucket) => {
      await bucket.set(1, 1)
      await expect.poll(() => bucket.get(), { timeout: 10_000 }).toBeUndefined()
      expect(await bucket.remainTimeToLive()).toBe(-2)
    })
  })

  it('is set if it is absent, or if it is there', async () => {
    await withBucket(async (bucket) => {
      expect(await bucket.setIfExists('one')).toBe(false)
      expect(await bucket.isExists()).toBe(false)
      expect(await bucket.setIfAbsent('one', 60_000)).toBe(true)
      expect(await bucket.remainTimeToLive()).toBeGreaterThan(50_000)
      expect(await bucket.setIfAbsent('two')).toBe(false)
      expect(await bucket.get()).toBe('one')
      expect(await bucket.setIfExists('three')).toBe(true)
      expect(await bucket.remainTimeToLive()).toBe(-1)
      expect(await bucket.setIfExists('four', 60_000)).toBe(true)
      expect(await bucket.remainTimeToLive()).toBeGreaterThan(50_000)
    })
  })

  it('returns what was there when it is set or removed', async () => {
    await withBucket(async (bucket) => {
      expect(await bucket.getAndSet('one')).toBeUndefined()
      expect(await bucket.getAndSet('two')).toBe('one')
      expect(await bucket.getAndDelete()).toBe('two')
      expect(await bucket.getAndDelete()).toBeUndefined()
    })
  })

  it('returns its value and has it expire, or never', async () => {
    await withBucket(async (bucket) => {
      expect(await bucket.getAndExpire(60_000)).toBeUndefined()
      expect(await bucket.getAndClearExpire()).toBeUndefined()
      await bucket.set('there')
      expect(await bucket.getAndExpire(60_000)).toBe('there')
      expect(await bucket.remainTimeToLive()).toBeGreaterThan(50_000)
      const moment = new Date(Date.now() + 120_000)
      expect(await bucket.getAndExpire(moment)).toBe('there')
      expect(await bucket.getExpireTime()).toEqual(moment)
      expect(await bucket.getAndClearExpire()).toBe('there')
      expect(await bucket.remainTimeToLive()).toBe(-1)
      expect(await bucket.getAndExpire(new Date(0))).toBe('there')
      expect(await bucket.isExists()).toBe(false)
    })
  })

  it('is compared by its bytes', async () => {
    await withBucket(async (bucket) => {
      expect(await bucket.compareAndSet('other', 'one')).toBe(false)
      expect(await bucket.compareAndSet(undefined, 'one')).toBe(true)
      expect(await bucket.compareAndSet(undefined, 'two')).toBe(false)
      await bucket.expire(60_000)
      expect(await bucket.compareAndSet('one', { a: 1, b: 2 })).toBe(true)
      expect(await bucket.remainTimeToLive()).toBe(-1)
      expect(await bucket.compareAndSet({ b: 2, a: 1 }, 'three')).toBe(false)
      expect(await bucket.compareAndDelete({ b: 2, a: 1 })).toBe(false)
      expect(await bucket.compareAndDelete({ a: 1, b: 2 })).toBe(true)
      expect(await bucket.compareAndDelete({ a: 1, b: 2 })).toBe(false)
      expect(await bucket.isExists()).toBe(false)
    })
  })

  it('is set by one client only, of all that compare at once', async () => {
    await withBucket(async (bucket, name) => {
      await bucket.set(0)
      const increment = async (of: RBucket<number>): Promise<void> => {
        for (;;) {
          const before = await of.get()
          if (await of.compareAndSet(before, (before ?? 0) + 1)) return
        }
      }
      const all = [clients.mine, clients.other].flatMap((client) =>
        Array.from({ length: 10 }, () => increment(client.getBucket<number>(name))),
      )
      await Promise.all(all)
      expect(await bucket.get()).toBe(20)
    })
  })

  it('refuses to read another kind of object, which set() replaces', async () => {
    await withBucket(async (bucket, name) => {
      await askOwner(topology, name, 'RPUSH', 'element')
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      for (const call of [
        () => bucket.get(),
        () => bucket.size(),
        () => bucket.getAndSet(1),
        () => bucket.getAndDelete(),
        () => bucket.getAndExpire(1_000),
        () => bucket.compareAndSet(1, 2),
        () => bucket.compareAndDelete(1),
      ])
        await expect(call()).rejects.toMatchObject(wrong)
      expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['element'])
      expect(await bucket.setIfAbsent(1)).toBe(false)
      await bucket.set(1)
      expect(await bucket.get()).toBe(1)
    })
  })

  it('refuses what the codec cannot write or read, and says where', async () => {
    await withBucket(async (bucket, name) => {
      await bucket.set('there')
      for (const value of [NaN, () => 1, Symbol('s'), new Map()])
        await expect(bucket.set(value)).rejects.toMatchObject({ code: 'CODEC', object: name })
      expect(await bucket.get()).toBe('there')
      await clients.mine.getBucket<string>(name, { codec: stringCodec() }).set('{not json')
      await expect(bucket.get()).rejects.toMatchObject({ code: 'CODEC', object: name, codec: 'json' })
    })
  })

  it('has what it has in common with another', async () => {
    const [one, two] = [`{common-${topology.kind}}1`, `{common-${topology.kind}}2`]
    const texts = { codec: stringCodec() }
    const bucket = clients.mine.getBucket(one, texts)
    expect(await bucket.findCommon(two)).toBeUndefined()
    expect(await bucket.findCommonLength(two)).toBe(0)
    await bucket.set('ohmytext')
    expect(await bucket.findCommon(two)).toBeUndefined()
    await clients.other.getBucket(two, texts).set('mynewtext')
    expect(await bucket.findCommon(two)).toBe('mytext')
    expect(await bucket.findCommonLength(two)).toBe(6)
    expect(await bucket.findCommon(one)).toBe('ohmytext')
    await expect(bucket.findCommon('')).rejects.toThrow(TypeError)
    if (topology.kind === 'cluster')
      await expect(bucket.findCommon('elsewhere')).rejects.toMatchObject({ code: 'CROSS_SLOT' })
    await clients.other.getMap(`${two}map`).put('k', 1)
    await expect(bucket.findCommon(`${two}map`)).rejects.toThrow()
    await clients.other.getMap(`${two}map`).delete()
    await bucket.delete()
    await clients.other.getBucket(two).delete()
  })
})

describe('a bucket of bad arguments', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)

  it('refuses undefined as a value', async () => {
    const bucket = clients.mine.getBucket('bad')
    for (const call of [
      () => bucket.set(undefined),
      () => bucket.setAndKeepTTL(undefined),
      () => bucket.setIfAbsent(undefined),
      () => bucket.setIfExists(undefined),
      () => bucket.getAndSet(undefined),
      () => bucket.compareAndSet(1, undefined),
      () => bucket.compareAndSet(undefined, undefined),
      () => bucket.compareAndDelete(undefined),
    ])
      await expect(call()).rejects.toThrow(
        new TypeError('Expected `value` to be a value, got undefined: delete() removes a value'),
      )
    expect(await bucket.isExists()).toBe(false)
  })

  it.each([-1, NaN, '5', 2 ** 53 - 1, Infinity])('refuses %o as a time to live', async (ttlMs) => {
    const bucket = clients.mine.getBucket('bad')
    await expect(bucket.set(1, ttlMs as number)).rejects.toThrow(RangeError)
    await expect(bucket.getAndSet(1, ttlMs as number)).rejects.toThrow(RangeError)
    expect(await bucket.isExists()).toBe(false)
  })

  it('refuses a unit of time, unknown options and names that are none', async () => {
    const { mine } = clients
    const bucket = mine.getBucket('bad') as unknown as { set: (...args: unknown[]) => Promise<void> }
    await expect(bucket.set(1, 5, 'SECONDS')).rejects.toThrow('every duration is in milliseconds')
    expect(() => mine.getBucket('bad', { ttl: 5 } as never)).toThrow(TypeError)
    expect(() => mine.getBucket('bad', { exactlyOnce: 'yes' as never })).toThrow(TypeError)
    expect(() => mine.getBucket('bad', { codec: stringCodec as never })).toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getBucket(name as string)).toThrow(TypeError)
  })
})
