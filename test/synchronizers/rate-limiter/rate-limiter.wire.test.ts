import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

const names = [
  ['wire-rate', '{wire-rate}'],
  ['{tag}:wire-rate', '{tag}:wire-rate'],
] as const

/** How far the clocks of client and server may be apart. */
const CLOCKS_MS = 5_000

/** The member of the grants that tells for which rate they were counted. */
const markOf = (rate: number) => `10${Buffer.from(String(rate).padStart(16, '0')).toString('hex')}00000000`

const permitsOf = (grants: Readonly<Record<string, string>>) =>
  Object.keys(grants)
    .map((grant) => /^10[0-9a-f]{32}([0-9a-f]{8})$/.exec(grant)?.[1])
    .sort()

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  const hash = async (name: string) => {
    const fields = (await look.ask(name, 'HGETALL')) as string[]
    const pairs = fields.flatMap((field, index) => (index % 2 === 0 ? [[field, fields[index + 1]]] : []))
    return Object.fromEntries(pairs) as Record<string, string>
  }

  it.each(names)('a rate limiter called %s is a hash, a number and its grants', async (name, prefix) => {
    const limiter = clients.mine.getRateLimiter(name)
    await limiter.trySetRate('OVERALL', 10, 60_000)
    expect(await hash(name)).toEqual({ rate: '10', interval: '60000', keepAliveTime: '0', type: '0' })
    expect(await look.ask(name, 'PTTL')).toBe(-1)

    const before = Date.now()
    await limiter.acquire(3)
    await sleep(5)
    await limiter.acquire(7)
    const after = Date.now()
    expect(await look.ask(`${prefix}:value`, 'GET')).toBe('0')
    const grants = await look.membersOf(`${prefix}:permits`)
    expect(permitsOf(grants)).toEqual(['00000000', '03000000', '07000000'])
    expect(grants[markOf(10)]).toBe('inf') // no permits, and the rate that the number belongs to
    for (const [grant, grantedAt] of Object.entries(grants)) {
      if (grant === markOf(10)) continue
      expect(Number(grantedAt)).toBeGreaterThan(before - CLOCKS_MS)
      expect(Number(grantedAt)).toBeLessThan(after + CLOCKS_MS)
    }

    await limiter.release(4) // the oldest three, and one of the others
    expect(await look.ask(`${prefix}:value`, 'GET')).toBe('4')
    const rest = await look.membersOf(`${prefix}:permits`)
    expect(permitsOf(rest)).toEqual(['00000000', '06000000'])
    const six = Object.keys(rest).find((grant) => grant.endsWith('06000000')) ?? ''
    expect(rest[six]).toBe(grants[six.replace(/06000000$/, '07000000')])
    await limiter.delete()
    for (const key of [name, `${prefix}:value`, `${prefix}:permits`]) {
      expect(await look.ask(key, 'EXISTS')).toBe(0)
    }
  })

  it.each(names)(
    'a rate limiter called %s for each client has a pair for every one',
    async (name, prefix) => {
      const limiter = clients.mine.getRateLimiter(name)
      const { id } = clients.mine
      await limiter.trySetRate('PER_CLIENT', 10, 1_000, 60_000)
      expect(await hash(name)).toEqual({ rate: '10', interval: '1000', keepAliveTime: '60000', type: '1' })
      await limiter.acquire()
      expect(await look.ask(`${prefix}:value:${id}`, 'GET')).toBe('9')
      expect(Object.keys(await look.membersOf(`${prefix}:permits:${id}`))).toHaveLength(1)
      for (const key of [name, `${prefix}:value:${id}`, `${prefix}:permits:${id}`]) {
        expect(await look.ask(key, 'PTTL')).toBeGreaterThan(50_000)
      }
      expect(await look.ask(`${prefix}:value`, 'EXISTS')).toBe(0)
      await limiter.delete()
    },
  )

  it('what belongs to one client ends with its last grant', async () => {
    const limiter = clients.mine.getRateLimiter('wire-rate-own')
    const keys = ['value', 'permits'].map((kind) => `{wire-rate-own}:${kind}:${clients.mine.id}`)
    await limiter.trySetRate('PER_CLIENT', 3, 60_000)
    await limiter.acquire()
    await limiter.acquire()
    for (const key of keys) expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(50_000)
    await limiter.setRate('PER_CLIENT', 4, 300, { keepState: true })
    await limiter.acquire()
    for (const key of keys) await eventually(async () => (await look.ask(key, 'EXISTS')) === 0)
    expect(await look.ask('wire-rate-own', 'EXISTS')).toBe(1)
    await limiter.delete()
  })

  it(
    'what Java has granted counts, and is granted again when its interval is over',
    { tags: ['timed'] },
    async () => {
      const limiter = clients.mine.getRateLimiter('wire-rate-of-java')
      await look.ask(limiter.name, 'HSET', 'rate', 5, 'interval', 400, 'keepAliveTime', 0, 'type', 0)
      await look.ask('{wire-rate-of-java}:value', 'SET', 3)
      await look.ask('{wire-rate-of-java}:permits', 'ZADD', Date.now(), '\x10sixteen bytes !!\x02\0\0\0')
      expect(await limiter.tryAcquire(4)).toBe(false)
      expect(await limiter.tryAcquire(4, 5_000)).toBe(true)
      expect(await limiter.availablePermits()).toBe(1)
      await limiter.delete()
    },
  )
})
