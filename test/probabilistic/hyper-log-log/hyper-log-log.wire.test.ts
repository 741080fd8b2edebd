import { describe, expect, it } from 'vitest'
import { stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-log', '{wire}:log', 'журнал'])(
    'a HyperLogLog called %s is one of that name',
    async (name) => {
      const log = clients.mine.getHyperLogLog(name)
      await log.addAll(['é"', 1.5, [1, { a: null }]])
      expect(await look.ask(name, 'PFCOUNT')).toBe(3)
      expect(await look.ask(name, 'PFADD', '"é\\""', '1.5', '[1,{"a":null}]')).toBe(0)
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      expect(await log.expire(60_000)).toBe(true)
      await log.add('another')
      expect(await look.ask(name, 'PTTL')).toBeGreaterThan(0)
      await log.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('counts what others have added', async () => {
    const name = 'wire-log-others'
    await look.ask(name, 'PFADD', 'a', 'b')
    const log = clients.mine.getHyperLogLog(name, { codec: stringCodec() })
    expect(await log.count()).toBe(2)
    expect(await log.add('a')).toBe(false)
    await log.delete()
  })
})
