import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['wire-ring', 'redisson_rb:{wire-ring}'],
    ['{wire}:ring', 'redisson_rb:{wire}:ring'],
    ['провод', 'redisson_rb:{провод}'],
  ])('a ring buffer called %s is one list of that name, and has its capacity at %s', async (name, limit) => {
    const buffer = clients.mine.getRingBuffer(name)
    expect(await buffer.trySetCapacity(3)).toBe(true)
    expect(await look.ask(limit, 'GET')).toBe('3')
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    await buffer.addAll(['lost', 'é"', 1.5, [1, { a: null }]])
    await buffer.setCapacity(2_147_483_647)
    await buffer.add(2n ** 60n)
    expect(await look.ask(limit, 'GET')).toBe('2147483647')
    expect(await look.ask(name, 'TYPE')).toBe('list')
    expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
      '"é\\""',
      '1.5',
      '[1,{"a":null}]',
      '1152921504606846976',
    ])
    for (const key of [name, limit]) expect(await look.ask(key, 'PTTL')).toBe(-1)
    await buffer.expire(60_000)
    for (const key of [name, limit]) expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(0)
    await buffer.clear()
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    expect(await look.ask(limit, 'EXISTS')).toBe(1)
    await buffer.delete()
    expect(await look.ask(limit, 'EXISTS')).toBe(0)
  })

  it('reads what others have written', async () => {
    const name = 'wire-ring-others'
    const limit = `redisson_rb:{${name}}`
    await look.ask(name, 'RPUSH', ' [1, 2] ', '"b"', '"c"')
    const buffer = clients.mine.getRingBuffer(name)
    expect(await buffer.capacity()).toBe(0)
    await look.ask(limit, 'SET', 5)
    expect(await buffer.remainingCapacity()).toBe(2)
    expect(await buffer.readAll()).toEqual([[1, 2], 'b', 'c'])
    await look.ask(limit, 'SET', 0) // which Java sets too
    await buffer.add('d')
    expect(await buffer.isExists()).toBe(false)
    await buffer.delete()
  })
})
