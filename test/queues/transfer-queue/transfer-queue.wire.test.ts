import { afterEach, describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  afterEach(() => clients.mine.getKeys().flushall())

  it.each([
    ['wire-transfer', '{wire-transfer}'],
    ['{wire}:transfer', '{wire}:transfer'],
    ['передача', '{передача}'],
  ])('a transfer queue called %s is a list of records, and has consumers at %s:…', async (name, tag) => {
    const queue = clients.mine.getTransferQueue(name)
    await queue.put({ a: 1 })
    const transferring = queue.transfer('a')
    await eventually(async () => (await queue.size()) === 2)
    expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
      '\n{"a":1}',
      expect.stringMatching(/^[0-9a-f]{32}\n"a"$/),
    ])
    expect(await queue.drainTo()).toEqual([{ a: 1 }, 'a'])
    await transferring
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    const taken = queue.take()
    await eventually(() => queue.hasWaitingConsumer())
    expect(await look.ask(`${tag}:consumers`, 'HVALS')).toEqual([expect.stringMatching(/^1 \d{13}$/)])
    expect(await look.ask(`${tag}:consumers`, 'PTTL')).toBeGreaterThan(0)
    await queue.put('b')
    expect(await taken).toBe('b')
    await eventually(async () => !(await queue.hasWaitingConsumer()))
    expect(await look.ask(`${tag}:consumers`, 'EXISTS')).toBe(0)
  })
})
