import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['wire-bounded', 'redisson_bqs:{wire-bounded}'],
    ['{wire}:bounded', 'redisson_bqs:{wire}:bounded'],
    ['границы', 'redisson_bqs:{границы}'],
  ])('a bounded queue called %s is one list of that name, and has its places at %s', async (name, places) => {
    const queue = clients.mine.getBoundedBlockingQueue(name)
    expect(await queue.trySetCapacity(2_147_483_647)).toBe(true)
    expect(await look.ask(places, 'GET')).toBe('2147483647')
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    await queue.addAll(['é"', 1.5, [1, { a: null }]])
    await queue.put(2n ** 60n)
    expect(await look.ask(places, 'GET')).toBe('2147483643')
    expect(await look.ask(name, 'TYPE')).toBe('list')
    expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
      '"é\\""',
      '1.5',
      '[1,{"a":null}]',
      '1152921504606846976',
    ])
    for (const key of [name, places]) expect(await look.ask(key, 'PTTL')).toBe(-1)
    await queue.expire(60_000)
    for (const key of [name, places]) expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(0)
    await queue.take()
    expect(await look.ask(places, 'GET')).toBe('2147483644')
    await queue.clear()
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    expect(await look.ask(places, 'GET')).toBe('2147483647')
    await queue.delete()
    expect(await look.ask(places, 'EXISTS')).toBe(0)
  })

  it('reads what others have written', async () => {
    const name = 'wire-bounded-others'
    const places = `redisson_bqs:{${name}}`
    await look.ask(name, 'RPUSH', ' [1, 2] ', '"b"')
    const queue = clients.mine.getBoundedBlockingQueue(name)
    await look.ask(places, 'SET', -1) // as after a capacity of one
    expect(await queue.remainingCapacity()).toBe(0)
    expect(await queue.offer('c')).toBe(false)
    await look.ask(places, 'SET', 1)
    expect(await queue.offer('c')).toBe(true)
    expect(await queue.drainTo()).toEqual([[1, 2], 'b', 'c'])
    expect(await look.ask(places, 'GET')).toBe('3')
    await queue.delete()
    await look.ask(places, 'DEL')
  })
})
