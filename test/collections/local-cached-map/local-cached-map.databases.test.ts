import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateMessage } from '../../../src/collections/local-cached-map/cache/cache-messages.js'
import {
  bytesCodec,
  Redisson,
  type LocalCachedMapOptions,
  type RedissonClient,
  type RLocalCachedMap,
} from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

type Cached = RLocalCachedMap<string, unknown>

/** What a map keeps here. */
const kept = async (map: Cached) => Object.fromEntries(await map.getCachedMap())

describe('local cached maps of one name in several databases', () => {
  noLeaks(single)
  let first: RedissonClient
  let second: RedissonClient
  let names = 0

  const connect = (database: number) => Redisson.create(single.options({ database }))

  beforeAll(async () => {
    first = await connect(0)
    second = await connect(1)
  })

  afterAll(() => Promise.all([first.shutdown(), second.shutdown()]))

  const open = async (
    client: RedissonClient,
    name: string,
    options: LocalCachedMapOptions<string, unknown>,
  ) => {
    const map = client.getLocalCachedMap(name, options)
    await map.preloadCache()
    return map
  }

  /** A map in either database, and a second object of the second one. All are removed after the test. */
  const withMaps = async (
    use: (mine: Cached, theirs: Cached, same: Cached, name: string) => Promise<void>,
    syncStrategy: 'INVALIDATE' | 'UPDATE',
  ) => {
    const name = `local-databases-${String(names++)}`
    await using mine = await open(first, name, { syncStrategy })
    await using theirs = await open(second, name, { syncStrategy })
    await using same = await open(second, name, { syncStrategy })
    try {
      await use(mine, theirs, same, name)
    } finally {
      await Promise.all([mine.delete(), theirs.delete()])
    }
  }

  /** Has a message of a client in Java arrive at two maps. */
  const publishAsJava = async (name: string, key: string, value: string) => {
    const sender = Buffer.from('0f0e0d0c0b0a09080706050403020100', 'hex')
    const message = updateMessage(sender, [[Buffer.from(key), Buffer.from(value)]])
    await first.getTopic(`{${name}}:topic`, { codec: bytesCodec() }).publish(message)
  }

  it('keep no values of each other with UPDATE', async () => {
    await withMaps(async (mine, theirs, same) => {
      await theirs.put('a', 'second')
      await eventually(async () => {
        expect(await kept(same)).toEqual({ a: 'second' })
      })
      await mine.put('a', 'first')
      await mine.putAll({ a: 'first', b: 'first' })
      await theirs.put('end', 1) // its message is behind those of the others
      await eventually(async () => {
        expect(await kept(same)).toMatchObject({ end: 1 })
      })
      for (const map of [theirs, same]) {
        expect((await kept(map))['b']).toBeUndefined()
        expect(await map.get('a')).toBe('second')
        expect(await map.get('b')).toBeUndefined()
      }
      expect(await mine.get('a')).toBe('first')
    }, 'UPDATE')
  })

  it('take a value of a client in Java, which does not say its database, only in database 0', async () => {
    await withMaps(async (mine, theirs, _, name) => {
      await theirs.put('a', 'second')
      await publishAsJava(name, 'a', '"java"')
      await publishAsJava(name, 'b', '"java"')
      await eventually(async () => {
        expect(await kept(mine)).toEqual({ a: 'java', b: 'java' })
      })
      expect(await theirs.getAll(['a', 'b'])).toEqual(new Map([['a', 'second']]))
    }, 'UPDATE')
  })

  it.each(['INVALIDATE', 'UPDATE'] as const)(
    'confirm to each other that they are cleared: %s',
    async (sync) => {
      await withMaps(async (mine, theirs, same) => {
        await Promise.all([mine.put('a', 'first'), theirs.put('a', 'second')])
        expect(await mine.clearLocalCache()).toBe(true)
        expect(await theirs.clearLocalCache()).toBe(true)
        expect(await Promise.all([mine, theirs, same].map(kept))).toEqual([{}, {}, {}])
        expect(await mine.get('a')).toBe('first')
        expect(await same.get('a')).toBe('second')
      }, sync)
    },
  )

  it('are read anew when a map is moved to another database', async () => {
    await withMaps(async (mine, theirs) => {
      await mine.put('a', 'first')
      expect(await theirs.get('a')).toBeUndefined()
      expect(await mine.move(1)).toBe(true)
      expect(await mine.get('a')).toBeUndefined()
      expect(await theirs.get('a')).toBe('first')
    }, 'UPDATE')
  })
})
