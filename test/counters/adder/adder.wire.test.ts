import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redis } from 'ioredis'
import { Redisson } from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'

const ID = '0123456789abcdef0123456789abcdef'

/** A client of Redisson, played: it asks, and replies, as Redisson for Java does. */
describe.each(topologies)('an adder on the wire ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let publish: string

  beforeAll(() => {
    publish = topology.kind === 'cluster' ? 'SPUBLISH' : 'PUBLISH'
  })

  it.each([
    ['wire-adder', '{wire-adder}'],
    ['{tag}:wire-adder', '{tag}:wire-adder'],
  ])('called %s replies to a request with its sum and one permit', async (name, prefix) => {
    const topic = `${prefix}:adder-topic`
    const [counter, semaphore] = [`${prefix}:${ID}:counter`, `${prefix}:${ID}:semaphore`]
    const ask = (key: string, ...words: [string, ...(string | number)[]]) => askOwner(topology, key, ...words)
    const asked = async (message: string) => {
      const owner = await ownerOf(topology, topic)
      return await owner.command(publish, topic, message)
    }
    await using adder = clients.mine.getLongAdder(name)
    await using again = clients.mine.getLongAdder(name)
    adder.add(5)
    again.add(2)
    await eventually(async () => (await asked('no request')) === 1)
    expect(await asked(`1:${ID}`)).toBe(1)
    await eventually(async () => (await ask(semaphore, 'GET')) === '1')
    expect(await ask(counter, 'GET')).toBe('7')
    for (const key of [counter, semaphore]) {
      expect(await ask(key, 'TYPE')).toBe('string')
      expect(Number(await ask(key, 'PTTL'))).toBeGreaterThan(60_000) // for as long as Redisson waits
    }
    // The same message again is not another request.
    expect(await asked(`1:${ID}`)).toBe(1)
    const other = ID.replace('0', 'f')
    expect(await asked(`0:${other}`)).toBe(1)
    await eventually(async () => (await ask(`${prefix}:${other}:semaphore`, 'GET')) === '1')
    expect(await ask(`${prefix}:${other}:counter`, 'EXISTS')).toBe(0)
    expect([await ask(counter, 'GET'), await ask(semaphore, 'GET')]).toEqual(['7', '1'])
    expect(await adder.sum()).toBe(0)
    for (const key of [counter, semaphore, `${prefix}:${other}:semaphore`]) await ask(key, 'DEL')
  })
})

describe('a request of an adder on the wire', () => {
  noLeaks(single)
  const clients = twoClients(single)
  const [server] = single.nodes
  let listener: Redis

  beforeAll(() => {
    listener = new Redis(server.port, server.host)
  })

  afterAll(() => {
    listener.disconnect()
  })

  it.each([
    ['sum', /^1:([0-9a-f]{32})$/, 42, '42'],
    ['reset', /^0:([0-9a-f]{32})$/, undefined, '0'],
  ] as const)('to %s is replied to as Redisson for Java does', async (method, message, result, added) => {
    const asked = Promise.withResolvers<string>()
    await listener.subscribe('{wire-asked}:adder-topic')
    listener.once('message', (_, said) => {
      asked.resolve(said)
    })
    const call = clients.mine.getLongAdder('wire-asked')[method]()
    const [, id] = message.exec(await asked.promise) ?? []
    const [counter, semaphore] = [
      `{wire-asked}:${String(id)}:counter`,
      `{wire-asked}:${String(id)}:semaphore`,
    ]
    for (const key of [counter, semaphore]) expect(await server.command('PTTL', key)).toBeGreaterThan(0) // before anyone replies
    if (method === 'sum') await server.command('INCRBY', counter, added)
    await server.command('INCRBY', semaphore, 1)
    await server.command('PUBLISH', `redisson_sc:${semaphore}`, 1)
    expect(await call).toBe(result)
    expect(await server.command('EXISTS', counter, semaphore)).toBe(0)
    await listener.unsubscribe()
  })

  it('of fractions takes what Java has added', async () => {
    const asked = Promise.withResolvers<string>()
    await listener.subscribe('{wire-fractions}:adder-topic')
    listener.once('message', (_, said) => {
      asked.resolve(said.slice(2))
    })
    await using client = await Redisson.create(single.options())
    const call = client.getDoubleAdder('wire-fractions').sum()
    const id = await asked.promise
    await server.command('INCRBYFLOAT', `{wire-fractions}:${id}:counter`, '1.5')
    await server.command('INCRBY', `{wire-fractions}:${id}:semaphore`, 1)
    await server.command('PUBLISH', `redisson_sc:{wire-fractions}:${id}:semaphore`, 1)
    expect(await call).toBe(1.5)
    await listener.unsubscribe()
  })
})
