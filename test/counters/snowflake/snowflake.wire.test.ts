import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

const LEASE_MS = 30_000

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each([
    ['wire-flakes', '{wire-flakes}:bounds'],
    ['{tag}:wire-flakes', '{tag}:wire-flakes:bounds'],
  ])(
    'a snowflake called %s is a hash of settings and holders, and a sorted set of bounds',
    async (name, bounds) => {
      const ids = clients.mine.getSnowflake(name, { epochMs: 5_000, nodeBits: 4, sequenceBits: 3 })
      const { time } = ids.partsOf(await ids.nextId())
      const fields = (await look.ask(name, 'HGETALL')) as string[]
      const hash = Object.fromEntries(
        fields.flatMap((each, at) => (at % 2 === 0 ? [[each, fields[at + 1]]] : [])),
      )
      const token = hash['node:0'] ?? ''
      expect(token).toMatch(/^[\da-f]{32}$/)
      expect(hash).toEqual({
        layout: '5000 4 3',
        server: expect.stringMatching(/^[\da-f]{40}$/) as string,
        quiet: '0',
        lease: String(LEASE_MS),
        'node:0': token,
        [token]: expect.stringMatching(/^0 \d{13}$/) as string,
      })
      const from = Number(hash[token]?.split(' ')[1])
      expect(from).toBeLessThanOrEqual(time.getTime())
      expect(await look.ask(bounds, 'ZRANGE', '0', '-1', 'WITHSCORES')).toEqual([
        '0',
        String(from + LEASE_MS),
      ])
      expect([await look.ask(name, 'PTTL'), await look.ask(bounds, 'PTTL')]).toEqual([-1, -1])

      await ids[Symbol.asyncDispose]()
      const left = (await look.ask(name, 'HKEYS')) as string[]
      expect(left.toSorted()).toEqual(['layout', 'lease', 'quiet', 'server'])
      expect(await look.ask(bounds, 'ZSCORE', '0')).toBe(String(time.getTime()))
      await ids.delete()
      expect([await look.ask(name, 'TYPE'), await look.ask(bounds, 'TYPE')]).toEqual(['none', 'none'])
    },
  )
})
