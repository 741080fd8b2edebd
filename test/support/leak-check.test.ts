import { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import { askOwner } from './ask-owner.js'
import { LeakCheck } from './leak-check.js'
import { noLeaks } from './no-leaks.js'
import { cluster, single, topologies } from './topologies.js'

const [server] = single.nodes
const soon = { withinMs: 500 }

describe('a check for leaks', () => {
  let client: Redis | undefined
  afterEach(() => client?.disconnect())

  it.each(topologies)('finds nothing where there is nothing ($kind)', async ({ nodes }) => {
    await new LeakCheck().finish(nodes)
  })

  it.each([
    ['subscribe', 'Expected no subscription, got left on 127.0.0.1:'],
    ['ssubscribe', 'Expected no subscription, got left on 127.0.0.1:'],
    ['psubscribe', 'Expected no subscription, got 1 patterns on 127.0.0.1:'],
  ] as const)('finds what %s has left', { tags: ['timed'] }, async (subscribe, message) => {
    const { host, port } = server
    client = new Redis({ host, port })
    await client[subscribe]('left')
    await expect(new LeakCheck().finish([server], soon)).rejects.toThrow(message)
  })

  it('finds a key, wherever it is, and removes it', { tags: ['timed'] }, async () => {
    const owners = await Promise.allSettled(cluster.nodes.map((node) => node.command('SET', 'left', '1')))
    expect(owners.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(new LeakCheck().finish(cluster.nodes, soon)).rejects.toThrow('Expected no key, got left on')
    await new LeakCheck().finish(cluster.nodes)
  })

  it('fails where a server does not reply', async () => {
    const dead = { ...server, command: () => Promise.reject(new Error('it is dead')) }
    await expect(new LeakCheck().finish([server, dead], soon)).rejects.toThrow('it is dead')
  })

  it('lets be what Redis remembers of requests', async () => {
    await askOwner(cluster, 'redisson_unlock_latch:{a}:1', 'SET', '1', 'PX', '600000')
    await new LeakCheck().finish(cluster.nodes)
  })

  it('finds what Redis would remember of requests for ever', { tags: ['timed'] }, async () => {
    await askOwner(cluster, 'redisson_unlock_latch:{a}:1', 'SET', '1', 'PX', '600000')
    await askOwner(cluster, 'redisson__once:{a}:1', 'SET', '1')
    await expect(new LeakCheck().finish(cluster.nodes, soon)).rejects.toThrow(
      /Expected no key, got redisson__once:\{a\}:1 on [\d.:]+$/,
    )
  })

  it('lets keys be where that is expected', async () => {
    await server.command('SET', 'latch:1', '1')
    await new LeakCheck().finish([server], { except: /^latch:/ })
    await server.command('SET', 'left', '1')
    await new LeakCheck().finish([server], { keys: 'any' })
    expect(await server.command('DBSIZE')).toBe(0)
  })

  it('leaves keys for a later check that go by themselves', { tags: ['timed'] }, async () => {
    await server.command('MSET', 'latch:1', '1', 'kept:1', '1')
    await new LeakCheck().finish([server], { later: /^latch:/, keeps: /^kept:/ })
    expect(await server.command('KEYS', '*')).toEqual(['latch:1'])
    await expect(new LeakCheck().finish([server], soon)).rejects.toThrow('Expected no key, got latch:1 on')
  })

  it('leaves channels for a later check that go by themselves', { tags: ['timed'] }, async () => {
    const { host, port } = server
    client = new Redis({ host, port })
    await client.subscribe('x:adder-topic')
    await new LeakCheck().finish([server], { later: /:adder-topic$/ })
    await expect(new LeakCheck().finish([server], soon)).rejects.toThrow('got x:adder-topic on')
  })

  it('finds a timer, unless it is unreferenced', { tags: ['timed'] }, async () => {
    const check = new LeakCheck()
    const idle = setTimeout(() => undefined, 60_000).unref()
    await check.finish([server], soon)
    const timers = Array.from({ length: 20 }, () => setTimeout(() => undefined, 60_000)) // others come and go
    await expect(check.finish([server], soon)).rejects.toThrow(/Expected no more than \d+ timers, got \d+/)
    timers.forEach(clearTimeout)
    clearTimeout(idle)
  })
})

describe('after every test', () => {
  noLeaks(() => single)
  let client: Redis
  afterEach(async () => {
    await server.command('DEL', 'key')
    client.disconnect()
  })

  it.each(['once', 'again'])('the check comes when other hooks have cleaned up (%s)', async () => {
    const { host, port } = server
    client = new Redis({ host, port })
    await client.set('key', 'value')
    await client.subscribe('channel')
  })
})
