import { beforeEach, describe, expect, it } from 'vitest'
import { stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { held } from './held.js'

const node = single.nodes[0]

describe('a cache in Redis', () => {
  let names = 0
  let name = ''

  noLeaks(single, { except: /cache-\d+/ })
  const clients = twoClients(single)

  beforeEach(() => {
    name = `cache-${String(names++)}`
  })

  const made = (options = {}) =>
    clients.mine.getCache<string>(name, { codec: stringCodec(), redisTimeoutMs: 20_000, ...options })
  const record = (key = 'a') => node.command('GET', `${name}:{${key}}`)

  it('has a line of times before the value', async () => {
    await made().set('a', 'apple')
    expect(await record()).toBe('1 -1 0 0 0 0\napple')
    await made({ ttlMs: 1000, staleMs: 500 }).set('a', 'apple')
    expect(await record()).toBe('1 1000 500 0 0 0\napple')
  })

  it('has the tags with their times in that line', async () => {
    await made().set('a', 'apple', { ttlMs: 1000, tags: ['x', 'ü\n'] })
    expect(await record()).toBe('1 1000 0 0 0 0 [["x",0,0],["ü\\n",0,0]]\napple')
    expect(await made().get('a')).toBe('apple')
    await made().deleteTag('x')
    await made().expireTag('x')
    const times = String(await node.command('GET', `${name}:{x}:tag`))
    expect(times).toMatch(/^\d{13} \d{13}$/)
    await made().set('a', 'apple', { ttlMs: 1000, tags: ['x'] })
    expect(await record()).toBe(`1 1000 0 0 0 0 [["x",${times.replace(' ', ',')}]]\napple`)
  })

  it('has the time of clear()', async () => {
    await made().clear()
    const times = String(await node.command('GET', `ioredisson_cache_clear:{${name}}`))
    expect(times).toMatch(/^\d{13} 0$/)
    expect(await node.command('PTTL', `ioredisson_cache_clear:{${name}}`)).toBe(-1)
    await made().set('a', 'apple')
    expect(await record()).toBe(`1 -1 0 0 0 ${times.split(' ')[0] ?? ''}\napple`)
  })

  it('marks that there is no value', async () => {
    await made({ negativeTtlMs: 1000 }).getOrLoad('a', () => undefined)
    expect(await record()).toMatch(/^1 1000 0 \d+ 1 0\n$/)
  })

  it('has a mark while it loads', async () => {
    const { loader, begun, letGo } = held('apple')
    const call = made().getOrLoad('a', loader)
    await begun
    const mark = `${name}:{a}:load`
    expect(await node.command('GET', mark)).toMatch(/^[0-9a-f]{32}$/)
    expect(Number(await node.command('PTTL', mark))).toBeLessThanOrEqual(5000)
    letGo()
    await call
    expect(await node.command('EXISTS', mark)).toBe(0)
  })

  it('sends one request for a hit in Redis', async () => {
    const cache = made({ ttlMs: 600_000 })
    await cache.set('a', 'apple')
    await cache.getOrLoad('a', () => 'new')
    const calls = async () => {
      const stats = String(await node.command('INFO', 'commandstats'))
      const sent = stats.matchAll(/^cmdstat_(evalsha|eval|mget):calls=(\d+)/gm)
      return Object.fromEntries([...sent].map(([, command = '', count]) => [command, Number(count)]))
    }
    const before = await calls()
    await cache.getOrLoad('a', () => 'new')
    const after = await calls()
    expect((after['evalsha'] ?? 0) - (before['evalsha'] ?? 0)).toBe(1)
    expect((after['mget'] ?? 0) - (before['mget'] ?? 0)).toBe(0)
    expect((after['eval'] ?? 0) - (before['eval'] ?? 0)).toBe(0)
  })
})
