import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

/** A group of Redisson. */
const JAVA = 'f'.repeat(32)

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  const groups = async (name: string) => {
    const found = (await (await ownerOf(topology, name)).command('XINFO', 'GROUPS', name)) as unknown[][]
    return found.map((facts) => ({ name: String(facts[1]), pending: facts[5], last: String(facts[7]) }))
  }
  const group = async (name: string, command: string, ...args: readonly string[]) =>
    (await ownerOf(topology, name)).command('XGROUP', command, name, ...args)

  it.each([
    ['wire-reliable', '{wire-reliable}:timeout'],
    ['{wire}:reliable', '{wire}:reliable:timeout'],
    ['провод-reliable', '{провод-reliable}:timeout'],
  ])(
    'a reliable topic called %s is a stream of that name, and has its subscribers at %s',
    async (name, timeouts) => {
      const topic = clients.mine.getReliableTopic(name)
      for (const message of ['é"', 1.5, [1, { a: null }]]) await topic.publish(message)
      expect(await look.ask(name, 'TYPE')).toBe('stream')
      const entries = (await look.ask(name, 'XRANGE', '-', '+')) as [string, string[]][]
      expect(entries.map(([, fields]) => fields)).toEqual([
        ['m', '"é\\""'],
        ['m', '1.5'],
        ['m', '[1,{"a":null}]'],
      ])
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = Date.now()
      const subscription = await topic.addListener(() => promise)
      const [id = '', score] = (await look.ask(timeouts, 'ZRANGE', 0, -1, 'WITHSCORES')) as string[]
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(Number(score) - before).toBeGreaterThan(590_000)
      expect(Number(score) - before).toBeLessThan(610_000)
      await eventually(async () =>
        expect(await groups(name)).toEqual([{ name: id, pending: 1, last: '0-0' }]),
      )
      for (const key of [name, timeouts]) expect(await look.ask(key, 'PTTL')).toBe(-1)
      await topic.expire(60_000)
      for (const key of [name, timeouts]) expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(0)
      await topic.clearExpire()
      resolve()
      const last = entries.at(-1)?.[0]
      await eventually(async () => expect(await groups(name)).toEqual([{ name: id, pending: 0, last }]))
      expect(await look.ask(name, 'XLEN')).toBe(0)
      await subscription.unsubscribe()
      for (const key of [name, timeouts]) expect(await look.ask(key, 'EXISTS')).toBe(0)
    },
  )

  it('a named subscriber is a group of its name, and a history is one as well', async () => {
    const name = 'wire-reliable-named'
    const topic = clients.mine.getReliableTopic(name)
    await topic.setHistory(5_000)
    const subscription = await topic.addListener(() => undefined, { subscriber: 'billing' })
    expect((await groups(name)).map((each) => each.name)).toEqual(['billing', 'ioredisson:history:5000'])
    expect(await look.ask(`{${name}}:timeout`, 'ZRANGE', 0, -1)).toEqual([
      expect.stringMatching(/^ioredisson:lease:[0-9a-f]{32}:billing$/),
    ])
    expect([await topic.publish(1), await topic.countSubscribers()]).toEqual([1, 1])
    await subscription.unsubscribe() // which does not wait for a listener that runs
    await eventually(async () => expect(await look.ask(`{${name}}:timeout`, 'EXISTS')).toBe(0))
    await topic.delete()
  })

  it('keeps what a subscriber of Redisson has received and not acknowledged', async () => {
    const name = 'wire-reliable-java'
    const topic = clients.mine.getReliableTopic<number>(name)
    await group(name, 'CREATE', JAVA, '0', 'MKSTREAM')
    const heard: number[] = []
    const subscription = await topic.addListener((message) => void heard.push(message))
    for (const message of [1, 2]) expect(await topic.publish(message)).toBe(2)
    await eventually(() => expect(heard).toEqual([1, 2]))
    expect(await topic.size()).toBe(2)
    const owner = await ownerOf(topology, name)
    const read = await owner.command('XREADGROUP', 'GROUP', JAVA, 'consumer', 'STREAMS', name, '>')
    const first = String((read as [string, [string][]][])[0]?.[1][0]?.[0])
    await topic.publish(3)
    await eventually(() => expect(heard).toEqual([1, 2, 3]))
    expect(await topic.size()).toBe(3)
    await owner.command('XACK', name, JAVA, first)
    await topic.publish(4)
    await eventually(async () => expect(await topic.size()).toBe(3))
    await subscription.unsubscribe()
    await topic.delete()
  })

  it('removes subscribers of Redisson that were not renewed in time', async () => {
    const name = 'wire-reliable-dead'
    const topic = clients.mine.getReliableTopic<number>(name)
    await group(name, 'CREATE', JAVA, '0', 'MKSTREAM')
    await look.ask(`{${name}}:timeout`, 'ZADD', Date.now() - 1_000, JAVA)
    expect(await topic.countSubscribers()).toBe(0)
    expect(await topic.publish(1)).toBe(0)
    expect(await groups(name)).toEqual([])
    expect(await look.ask(`{${name}}:timeout`, 'EXISTS')).toBe(0)
    await topic.delete()
  })
})
