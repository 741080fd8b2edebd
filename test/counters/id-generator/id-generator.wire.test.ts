import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each([
    ['wire-ids', '{wire-ids}:allocation'],
    ['{tag}:wire-ids', '{tag}:wire-ids:allocation'],
  ])('a generator called %s is the start of the next block and the size of all', async (name, allocation) => {
    const ids = clients.mine.getIdGenerator(name)
    const keys = async () => [
      await look.ask(name, 'TYPE'),
      await look.ask(name, 'GET'),
      await look.ask(name, 'PTTL'),
      await look.ask(allocation, 'TYPE'),
      await look.ask(allocation, 'GET'),
      await look.ask(allocation, 'PTTL'),
    ]
    await ids.nextId()
    expect(await keys()).toEqual(['string', '5001', -1, 'string', '5000', -1])
    await ids.delete()
    expect(await keys()).toEqual(['none', null, -2, 'none', null, -2])
    await ids.tryInit(-3, 20)
    expect(await keys()).toEqual(['string', '-3', -1, 'string', '20', -1])
    await ids.nextId()
    expect(await keys()).toEqual(['string', '17', -1, 'string', '20', -1])
    await ids.delete()
  })

  it('a generator of which one key is there gets the other', async () => {
    const ids = clients.mine.getIdGenerator('wire-half')
    await look.ask('wire-half', 'SET', '40')
    expect(await ids.tryInit(1, 10)).toBe(true)
    expect(await ids.nextId()).toBe(40)
    await ids.delete()
    await look.ask('{wire-half}:allocation', 'SET', '10')
    expect(await ids.tryInit(7, 3)).toBe(false)
    expect(await ids.nextId()).toBe(7)
    expect(await look.ask('wire-half', 'GET')).toBe('17')
    await ids.delete()
    await look.ask('wire-half', 'SET', '40')
    expect(await ids.nextId()).toBe(40)
    expect(await look.ask('wire-half', 'GET')).toBe('5040')
    await ids.delete()
  })
})
