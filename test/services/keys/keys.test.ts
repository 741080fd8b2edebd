import { Cluster } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CodecError, CrossSlotError, Redisson, type RedissonClient, type RKeys } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, slottedTopologies, single } from '../../support/topologies.js'

/** More than several pages. */
const MANY = 12_000

/** Names whose braces make no hash tag, or not the one that it seems. */
const BRACES = ['{}{a}', '{}{a}b', 'a{}{b}c', '{}x}', 'a{b', 'a}b', '{}', '{{a}}']

const BYTES_ON = `redis.call('set', KEYS[1] .. '\\255\\0', 'bytes')`

describe.each(slottedTopologies)('the keys of all masters ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  const keys = (): RKeys => clients.mine.getKeys()
  const bucket = (name: string) => clients.other.getBucket(name)
  /** Names in many slots of a cluster. */
  const some = (count: number) => Array.from({ length: count }, (_, n) => `ключ:${String(n)}`)
  const fill = async (names: readonly string[]) => {
    await clients.other.getBuckets().set(names.map((name, n) => [name, n] as const))
    return names
  }
  const addBytes = async (tag: string) => {
    await (await ownerOf(topology, `{${tag}}`)).command('EVAL', BYTES_ON, 1, `{${tag}}`)
  }

  afterEach(async () => {
    await keys().flushdb()
  })

  it('are none where there are none', async () => {
    expect(await allOf(keys())).toEqual([])
    expect(await keys().count()).toBe(0)
    expect(await keys().randomKey()).toBeUndefined()
    expect(await keys().getType('none')).toBeUndefined()
    expect(await keys().deleteByPattern('*')).toBe(0)
    for (const method of ['delete', 'unlink', 'touch', 'countExists'] as const) {
      expect(await keys()[method]()).toBe(0)
      expect(await keys()[method]('none', '{none}')).toBe(0)
    }
  })

  it('are walked through, each at least once', async () => {
    const names = await fill(some(MANY))
    expect(new Set(await allOf(keys()))).toEqual(new Set(names))
    expect(new Set(await allOf(keys().getKeys({ count: 100 })))).toEqual(new Set(names))
    expect(await keys().count()).toBe(MANY)
  })

  it('are walked through by pattern, type, and up to a limit', async () => {
    await fill(['a:1', 'a:2', 'b:1', 'a*', 'a[1]'])
    await clients.other.getMap('a:map').put('key', 1)
    const found = async (options: Parameters<RKeys['getKeys']>[0]) =>
      (await allOf(keys().getKeys(options))).sort()
    expect(await found({ pattern: 'a:*' })).toEqual(['a:1', 'a:2', 'a:map'])
    expect(await found({ pattern: 'a:*', type: 'string' })).toEqual(['a:1', 'a:2'])
    expect(await found({ type: 'hash' })).toEqual(['a:map'])
    expect(await found({ pattern: 'a\\*' })).toEqual(['a*'])
    expect(await found({ pattern: 'a\\[1\\]' })).toEqual(['a[1]'])
    expect(await found({ pattern: '{x}*' })).toEqual([])
    expect(await found({ limit: 4 })).toHaveLength(4)
    expect(await found({ limit: 100 })).toHaveLength(6)
  })

  it('are walked through anew by each loop, until that ends or its signal aborts', async () => {
    await fill(some(30))
    const walk = keys().getKeys({ count: 1 })
    for await (const name of walk) {
      expect(name).toContain('ключ')
      break
    }
    expect(new Set(await allOf(walk)).size).toBe(30)
    const stop = new AbortController()
    const walkOn = async () => {
      for await (const name of keys().getKeys({ signal: stop.signal }))
        stop.abort(new Error(`enough of ${name}`))
    }
    await expect(walkOn()).rejects.toThrow('enough')
    await expect(allOf(keys().getKeys({ signal: stop.signal }))).rejects.toThrow('enough')
  })

  it('that come or go during a walk may come or not, and all others come', async () => {
    const names = await fill(some(3_000))
    const seen = new Set<string>()
    for await (const name of keys().getKeys({ count: 50 })) {
      seen.add(name)
      const n = seen.size
      if (n % 100 !== 0) continue
      await bucket(`late:${String(n)}`).set(n)
      await keys().delete(`ключ:${String(2_999 - n / 100)}`)
    }
    for (const name of names.slice(0, 2_900)) expect(seen).toContain(name)
  })

  it('that are no text end a walk or are left out, and are removed by pattern', async () => {
    await addBytes('bytes')
    await fill(['{bytes}text'])
    await expect(allOf(keys())).rejects.toThrow(CodecError)
    expect(await allOf(keys().getKeys({ onInvalid: 'skip' }))).toEqual(['{bytes}text'])
    expect(await keys().deleteByPattern('{bytes}?')).toBe(0)
    expect(await keys().deleteByPattern('{bytes}??')).toBe(1)
    expect(await keys().count()).toBe(1)
    await addBytes('bytes')
    expect(await clients.mine.getKeys({ exactlyOnce: true }).unlinkByPattern('*')).toBe(2)
  })

  it('are counted, touched and removed by name in all slots', async () => {
    const names = await fill(some(MANY))
    expect(await keys().countExists(...names, 'none')).toBe(MANY)
    expect(await keys().countExists('ключ:1', 'ключ:1')).toBe(2)
    expect(await keys().touch(...names)).toBe(MANY)
    expect(await keys().delete(...names.slice(0, 7_000))).toBe(7_000)
    expect(await keys().unlink('ключ:1', ...names.slice(7_000, 7_010))).toBe(10)
    expect(await clients.mine.getKeys({ exactlyOnce: true }).delete('ключ:7010', 'ключ:7011')).toBe(2)
    expect(await keys().count()).toBeGreaterThanOrEqual(MANY - 7_012)
  })

  it.each(['deleteByPattern', 'unlinkByPattern'] as const)('are removed by %s', async (method) => {
    await fill([...some(MANY), 'other', 'redisson__once:{a}:1'])
    expect(await keys()[method]('ключ:1*')).toBe(3_111)
    expect(await keys()[method]('ключ:1*')).toBe(0)
    expect(await keys()[method]('*')).toBe(MANY - 3_111 + 1)
    expect(await allOf(keys())).toEqual([])
    expect(await keys().countExists('redisson__once:{a}:1')).toBe(1)
  })

  it('are drawn at random', async () => {
    const names = await fill(some(3))
    const drawn = new Set<string | undefined>()
    for (let n = 0; n < 100; n += 1) drawn.add(await keys().randomKey())
    for (const name of drawn) expect(names).toContain(name)
    expect(drawn.size).toBeGreaterThan(1)
    await keys().delete('ключ:0', 'ключ:1')
    for (let n = 0; n < 10; n += 1) expect(await keys().randomKey()).toBe('ключ:2')
  })

  it('have a type and a slot', async () => {
    await fill(['text'])
    await clients.other.getMap('map').put('key', 1)
    expect(await keys().getType('text')).toBe('string')
    expect(await keys().getType('map')).toBe('hash')
    for (const name of ['text', ...BRACES]) {
      const slot = await keys().getSlot(name)
      if (topology.kind === 'cluster')
        expect(slot).toBe(await topology.nodes[0]?.command('CLUSTER', 'KEYSLOT', name))
      else expect(slot).toBe(0)
    }
  })

  describe('whose names have braces', () => {
    const put = async () => {
      const script = clients.other.getScript()
      for (const name of BRACES)
        await script.eval('READ_WRITE', "return redis.call('SET', KEYS[1], 'value')", 'STATUS', [name])
    }

    beforeEach(put)

    it.each([{}, { exactlyOnce: true }])('are found and removed in their slots: %o', async (options) => {
      const found = clients.mine.getKeys(options)
      expect(await found.countExists(...BRACES)).toBe(BRACES.length)
      expect(await found.touch(...BRACES)).toBe(BRACES.length)
      expect(await found.delete(...BRACES)).toBe(BRACES.length)
      await put()
      expect(await found.unlinkByPattern('*')).toBe(BRACES.length)
      await put()
      for (const name of BRACES) expect(await found.unlink(name)).toBe(1)
      expect(await allOf(keys())).toEqual([])
    })

    it('have all methods of one key', async () => {
      for (const name of await allOf(keys())) {
        expect(await keys().getType(name)).toBe('string')
        expect(await keys().expire(name, 60_000)).toBe(true)
        expect(await keys().remainTimeToLive(name)).toBeGreaterThan(50_000)
        expect(await keys().clearExpire(name)).toBe(true)
        await keys().rename(name, name)
        expect(await keys().renamenx(name, name)).toBe(false)
      }
    })

    it('may be the new names of keys in their slots', async () => {
      await fill(['{{a}1'])
      await keys().rename('{{a}1', '{{a}}}')
      expect(await keys().copy('{{a}}}', '{{a}2')).toBe(true)
      if (topology.kind === 'cluster')
        await expect(keys().rename('{{a}2', '{}{{a}')).rejects.toThrow(CrossSlotError)
    })
  })

  it('are renamed, copied, and expire', async () => {
    await fill(['{a}1'])
    await keys().rename('{a}1', '{a}2')
    await expect(keys().rename('{a}1', '{a}2')).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
    expect(await keys().copy('{a}2', '{a}3')).toBe(true)
    expect(await keys().copy('{a}2', '{a}3')).toBe(false)
    expect(await keys().copy('{a}2', '{a}3', { replace: true })).toBe(true)
    expect(await keys().renamenx('{a}2', '{a}3')).toBe(false)
    expect(await keys().renamenx('{a}2', '{a}4')).toBe(true)
    expect(await keys().remainTimeToLive('{a}4')).toBe(-1)
    expect(await keys().expire('{a}4', 60_000)).toBe(true)
    expect(await keys().remainTimeToLive('{a}4')).toBeGreaterThan(50_000)
    expect(await keys().clearExpire('{a}4')).toBe(true)
    expect(await keys().clearExpire('{a}4')).toBe(false)
    expect(await keys().expire('none', new Date(0))).toBe(false)
    expect(await keys().expire('{a}4', new Date(0))).toBe(true)
    expect(await keys().remainTimeToLive('{a}4')).toBe(-2)
    if (topology.kind === 'cluster')
      await expect(keys().rename('{a}3', 'elsewhere')).rejects.toThrow(CrossSlotError)
  })

  it.each(['flushdb', 'flushdbParallel', 'flushall', 'flushallParallel'] as const)(
    'are all removed by %s',
    async (method) => {
      await fill(some(1_000))
      await keys()[method]()
      expect(await keys().count()).toBe(0)
    },
  )

  it('refuse what makes no sense, and nothing is sent', async () => {
    await fill(['stays'])
    const no = keys() as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
    for (const method of [
      'delete',
      'unlink',
      'touch',
      'countExists',
      'getType',
      'deleteByPattern',
      'getSlot',
    ])
      for (const wrong of [undefined, null, 7, '', ['stays'], '\ud800'])
        await expect(no[method]?.(wrong)).rejects.toThrow(TypeError)
    await expect(no['deleteByPattern']?.('*', '*')).rejects.toThrow(TypeError)
    await expect(no['flushdb']?.('stays')).rejects.toThrow(TypeError)
    await expect(keys().delete('stays', '')).rejects.toThrow(TypeError)
    for (const options of [{ count: 0 }, { count: 5_001 }, { limit: 0 }, { limit: 0.5 }])
      expect(() => keys().getKeys(options)).toThrow(RangeError)
    for (const options of [{ pattern: 7 }, { type: '' }, { limits: 1 }, { signal: {} }, { pattern: '' }])
      expect(() => keys().getKeys(options as object)).toThrow(TypeError)
    await expect(keys().move('stays', -1)).rejects.toThrow(RangeError)
    await expect(keys().swapdb(0, -1)).rejects.toThrow(RangeError)
    expect(() => clients.mine.getKeys({ exactly: true } as object)).toThrow(TypeError)
    expect(await keys().countExists('stays')).toBe(1)
  })

  it('are not part of a batch', async () => {
    await expect(
      clients.mine.batch((batch) => [(batch as unknown as RedissonClient).getKeys().count()]),
    ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
  })

  it('are of one database each', async () => {
    await fill(['here'])
    if (topology.kind === 'cluster') {
      await expect(keys().swapdb(0, 1)).rejects.toThrow(RangeError)
      await expect(keys().move('here', 1)).rejects.toThrow(RangeError)
      return
    }
    await keys().swapdb(0, 1)
    expect(await keys().count()).toBe(0)
    await keys().swapdb(0, 1)
    expect(await keys().move('here', 1)).toBe(true)
    expect(await keys().countExists('here')).toBe(0)
    await keys().flushall()
  })

  describe('of a client that maps names', () => {
    let mapped: RedissonClient

    beforeAll(async () => {
      const nameMapper = {
        map: (name: string) => `app:${name}`,
        unmap: (key: string) => key.slice('app:'.length),
      }
      mapped = await Redisson.create({ ...topology.options(), nameMapper })
    })

    afterAll(() => mapped.shutdown())

    it('have the names that the program uses', async () => {
      await fill(['foreign', 'x'])
      await mapped.getBucket('x').set(1)
      await mapped.getBucket('y').set(1)
      expect((await allOf(mapped.getKeys())).sort()).toEqual(['x', 'y'])
      expect(await allOf(mapped.getKeys().getKeys({ pattern: 'x*' }))).toEqual(['x'])
      expect(await mapped.getKeys().countExists('x', 'foreign')).toBe(1)
      expect(await mapped.getKeys().getType('y')).toBe('string')
      expect(await mapped.getKeys().deleteByPattern('*')).toBe(2)
      expect((await allOf(keys())).sort()).toEqual(['foreign', 'x'])
    })

    it.each([
      ['app[1]:', ''],
      ['app?:', ''],
      ['team*:', ''],
      ['app\\:', ''],
      ['*', '[1]?'],
      ['{a}*:', '\\'],
    ])('are none of other programs if it puts %j before names and %j after them', async (before, after) => {
      const others = ['app1:x', 'appX:x', 'team-a:x', 'app:x', 'any:1x', '{a}b:x']
      await fill(others)
      const nameMapper = {
        map: (name: string) => before + name + after,
        unmap: (key: string) => key.slice(before.length, key.length - after.length),
      }
      const special = await Redisson.create({ ...topology.options(), nameMapper })
      await special.getBuckets().set({ mine: 1, more: 2 })
      expect((await allOf(special.getKeys())).sort()).toEqual(['mine', 'more'])
      expect(await allOf(special.getKeys().getKeys({ pattern: '*n?' }))).toEqual(['mine'])
      expect(await special.getKeys().unlinkByPattern('m[i]*')).toBe(1)
      expect(await special.getKeys().deleteByPattern('*')).toBe(1)
      expect((await allOf(keys())).sort()).toEqual(others.sort())
      await special.shutdown()
    })

    it('are drawn among those of the program', async () => {
      await fill([...some(MANY), 'x'])
      expect(await mapped.getKeys().randomKey()).toBeUndefined()
      await mapped.getBucket('x').set(1)
      expect(await mapped.getKeys().randomKey()).toBe('x')
      await keys().flushdb()
      await fill(['redisson__once:{a}:1'])
      expect(await keys().randomKey()).toBeUndefined()
      await mapped.getBucket('y').set(1)
      await mapped.getBucket('z').set(1)
      for (let n = 0; n < 10; n += 1) expect(['y', 'z']).toContain(await mapped.getKeys().randomKey())
    })

    it('have no pattern if it changes that', async () => {
      const nameMapper = (name: string) => `app:${Buffer.from(name).toString('hex')}`
      const hexed = await Redisson.create({ ...topology.options(), nameMapper })
      await hexed.getBucket('x').set(1)
      expect(() => hexed.getKeys().getKeys()).toThrow(TypeError)
      await expect(hexed.getKeys().randomKey()).rejects.toThrow(TypeError)
      await expect(hexed.getKeys().deleteByPattern('*')).rejects.toThrow(TypeError)
      expect(await hexed.getKeys().delete('x')).toBe(1)
      await hexed.shutdown()
    })
  })
})

describe('a walk through keys', () => {
  const clients = twoClients(single)
  const scans = async () => {
    const info = String(await single.nodes[0].command('INFO', 'commandstats'))
    return Number(/cmdstat_scan:calls=(\d+)/.exec(info)?.[1] ?? 0)
  }

  it('asks for a page when it is needed', async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `page-${String(n)}`)
    await clients.other.getBuckets().set(names.map((name) => [name, 1] as const))
    const before = await scans()
    const walk = clients.mine.getKeys().getKeys({ count: 10 })[Symbol.asyncIterator]()
    expect(await scans()).toBe(before)
    await walk.next()
    expect(await scans()).toBe(before + 1)
    await walk.return?.()
    await clients.mine.getKeys().flushdb()
  })
})

describe('keys over a client of ioredis', () => {
  it.each([true, false])('are those of all masters, shared: %s', async (shared) => {
    const nodes = cluster.nodes.map(({ host, port }) => ({ host, port }))
    const theirs = new Cluster(nodes, { retryDelayOnFailover: 0 })
    const client = await Redisson.create({ ioredis: theirs, share: shared })
    const names = Array.from({ length: 100 }, (_, n) => `theirs-${String(n)}`)
    await client.getBuckets().set(names.map((name) => [name, 1] as const))
    expect(new Set(await allOf(client.getKeys()))).toEqual(new Set(names))
    expect(await client.getKeys().count()).toBe(100)
    expect(await client.getKeys().unlinkByPattern('theirs-*')).toBe(100)
    await client.shutdown()
    theirs.disconnect()
  })

  it('wait for a client that connects later', async () => {
    const client = await Redisson.create({ ...cluster.options(), lazyInitialization: true })
    expect(await client.getKeys().count()).toBe(0)
    expect(await allOf(client.getKeys())).toEqual([])
    await client.shutdown()
  })
})
