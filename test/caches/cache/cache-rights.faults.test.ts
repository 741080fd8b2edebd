import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const [server] = single.nodes
const LONG_MS = 600_000

describe('a cache whose user may use no channels', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  noLeaks(single, { except: /cache-\d+/ })

  beforeAll(async () => {
    await server.command('ACL', 'SETUSER', 'mute', 'reset', 'on', '>secret', '~*', '+@all')
    door = await proxied(single)
    client = await Redisson.create(door.options({ username: 'mute', password: 'secret' }))
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
    await server.command('ACL', 'DELUSER', 'mute')
  })

  it('warns once, and asks for the channel no more with each call', async () => {
    const warned: unknown[] = []
    vi.spyOn(process, 'emitWarning').mockImplementation((_, options) => void warned.push(options))
    const asked: string[] = []
    door.proxies[0]?.onRequest(/^subscribe /i, ({ request }) => void asked.push(request), { times: Infinity })
    const local = { maxEntries: 5, ttlMs: LONG_MS }
    const cache = client.getCache('cache-1', { ttlMs: LONG_MS, redisTimeoutMs: 20_000, local })
    await cache.set('a', 1)
    await cache.set('a', 2)
    await cache.get('warm')
    await eventually(() => asked.length > 0 && warned.length === 2)
    const before = asked.length
    const stopped = vi.spyOn(performance, 'now').mockReturnValue(performance.now()) // it asks again once in a second
    for (let times = 0; times < 50; times += 1) await cache.get('none')
    stopped.mockRestore()
    expect(asked.length - before).toBeLessThanOrEqual(1)
    expect(warned).toEqual([{ code: 'REDISSON_PUBLISH_FORBIDDEN' }, { code: 'REDISSON_LOCAL_CACHE_UNHEARD' }])
    expect(await cache.get('a')).toBe(2)
    cache.destroy()
  })
})
