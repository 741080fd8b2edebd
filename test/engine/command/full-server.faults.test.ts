import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { everyTopology } from '../../support/topologies.js'

describe.each(everyTopology)('a server without memory, which evicts nothing ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let name: string
  let names = 0

  noLeaks(topology)

  const limit = (maxmemory: '0' | '1') =>
    Promise.all(topology.nodes.map((node) => node.command('CONFIG', 'SET', 'maxmemory', maxmemory)))

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(
      door.options({ timeout: 2000, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 3 }),
    )
  })

  beforeEach(async () => {
    name = `full-${String(names++)}`
    await client.getBucket(name).set('there')
    await limit('1')
  })

  afterEach(async () => {
    await limit('0')
    await client.getBucket(name).delete()
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it.each(['delete', 'unlink'] as const)('has %s() remove what is there', async (remove) => {
    const bucket = client.getBucket(name)
    expect(await bucket[remove]()).toBe(true)
    expect(await bucket.isExists()).toBe(false)
    expect(await bucket[remove]()).toBe(false)
  })

  it('removes maps and counters', async () => {
    await limit('0')
    const map = client.getMap(name)
    await client.getBucket(name).delete()
    await map.put('key', 'value')
    const counter = client.getAtomicLong(`${name}-counter`)
    await counter.set(1)
    await limit('1')
    await map.clear()
    expect(await map.isExists()).toBe(false)
    expect(await counter.delete()).toBe(true)
  })

  it.each([false, true])(
    'keeps the values of a multimap that it does not return, also very many (exactlyOnce: %s)',
    async (exactlyOnce) => {
      await limit('0')
      await client.getBucket(name).delete()
      const multimap = client.getSetMultimap(name, { exactlyOnce })
      await multimap.put('a', 'old')
      await limit('1')
      const wanted = Array.from({ length: 6_000 }, (_, n) => n)
      for (const replace of ['replaceValues', 'fastReplaceValues'] as const)
        await expect(multimap[replace]('b', wanted), replace).rejects.toMatchObject({ mayHaveRun: false })
      expect(await multimap.replaceValues('a', wanted)).toEqual(['old'])
      expect(await multimap.get('a').size()).toBe(wanted.length)
      expect(await multimap.removeAll('a')).toHaveLength(wanted.length)
      expect(await multimap.isExists()).toBe(false)
    },
  )

  it('sets and clears a time to live', async () => {
    const bucket = client.getBucket(name)
    expect(await bucket.clearExpire()).toBe(false)
    expect(await bucket.expireIfSet(60_000)).toBe(false)
    expect(await bucket.expire(60_000)).toBe(true)
    expect(await bucket.clearExpire()).toBe(true)
  })

  it.each([
    ['removes once', (bucket: ReturnType<RedissonClient['getBucket']>) => bucket.delete(), true],
    [
      'finds nothing once',
      (bucket: ReturnType<RedissonClient['getBucket']>) => bucket.expireIfSet(60_000),
      false,
    ],
  ] as const)('%s, where the reply is lost', async (_, call, result) => {
    const bucket = client.getBucket(name)
    await call(client.getBucket(`${name}-warm`)) // so that the server knows the script
    let arrived = 0
    for (const proxy of door.proxies)
      proxy.onRequest(
        name,
        () => {
          arrived += 1
        },
        { times: 2 },
      )
    const { struck } = strike(door.proxies, name, ['is cut off', 'reply', (passing) => passing.cut()])
    expect(await call(bucket)).toBe(result)
    await struck
    expect(arrived).toBeGreaterThanOrEqual(2)
  })

  it('returns once what it removes, however large, where the reply is lost', async () => {
    const value = 'x'.repeat(100_000)
    await limit('0')
    await client.getBucket(name).set(value)
    await limit('1')
    const take = (each: string) => client.getBucket(each, { exactlyOnce: true }).getAndDelete()
    await take(`{${name}}:warm`) // so that the server knows the script
    const { struck } = strike(door.proxies, name, ['is cut off', 'reply', (passing) => passing.cut()])
    expect(await take(name)).toBe(value)
    await struck
    expect(await take(name)).toBeUndefined()
  })

  it('refuses what needs memory, and changes nothing', async () => {
    const call = client.getBucket(name, { exactlyOnce: true }).getAndSet('other')
    await expect(call).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: false })
    expect(await client.getBucket(name).get()).toBe('there')
  })

  it('refuses what fails before it writes', async () => {
    await expect(client.getMap(name).delete()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      mayHaveRun: false,
    })
    expect(await client.getBucket(name).get()).toBe('there')
  })

  it('does not begin a script of the program, which may publish before it writes', async () => {
    const heard: string[] = []
    const topic = client.getTopic<string>(name)
    await using _ = await topic.addListener((message) => heard.push(message))
    const script = client.getScript({ exactlyOnce: true })
    const publishAndSet = "redis.call('publish', KEYS[1], ARGV[1]) redis.call('set', KEYS[1], 1)"
    await expect(script.eval('READ_WRITE', publishAndSet, 'VALUE', [name], 'first')).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      mayHaveRun: false,
    })
    await topic.publish('last')
    await eventually(() => heard.at(-1) === 'last')
    expect(heard).toEqual(['last'])
  })
})
