import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

/** Stands for never. */
const NEVER = '922337203685477'

/** How far the clocks of client and server may be apart. */
const CLOCKS_MS = 5_000

/** What Java Redisson makes of a name: the sorted set of permits, and the channel. */
const names = [
  ['wire-permits', '{wire-permits}:timeout', 'redisson_sc:{wire-permits}'],
  ['{tag}:wire-permits', '{tag}:wire-permits:timeout', 'redisson_sc:{tag}:wire-permits'],
] as const

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each(names)(
    'a semaphore called %s whose permits can expire is a number, and 16 bytes for every permit',
    async (name, timeouts, channel) => {
      const semaphore = clients.mine.getPermitExpirableSemaphore(name)
      const said: string[] = []
      const expectSaid = async (...numbers: readonly number[]) => {
        said.push(...numbers.map((number) => `${look.publish} ${String(number)}`))
        expect(await look.messagesAt(channel)).toEqual(said)
      }

      await semaphore.trySetPermits(5)
      expect(await look.ask(name, 'GET')).toBe('5')
      await expectSaid(5)

      const forEver = await semaphore.acquire()
      expect(await look.ask(name, 'GET')).toBe('4')
      expect(await look.membersOf(timeouts)).toEqual({ [forEver]: NEVER })

      const before = Date.now()
      const leased = await semaphore.acquire(60_000)
      const after = Date.now()
      const { [leased]: expiry } = await look.membersOf(timeouts)
      expect(Number(expiry)).toBeGreaterThan(before + 60_000 - CLOCKS_MS)
      expect(Number(expiry)).toBeLessThan(after + 60_000 + CLOCKS_MS)

      const [first, second] = (await semaphore.acquireMany(2)) as [string, string]
      expect(await look.ask(name, 'GET')).toBe('1')
      expect(Object.keys(await look.membersOf(timeouts)).sort()).toEqual(
        [forEver, leased, first, second].sort(),
      )
      await expectSaid()

      await semaphore.release(forEver) // says how many are free now
      await expectSaid(2)
      await semaphore.release([first, second]) // says how many came back
      await expectSaid(2)
      expect(await look.ask(name, 'GET')).toBe('4')
      expect(Object.keys(await look.membersOf(timeouts))).toEqual([leased])

      await semaphore.setPermits(7) // says how many there are
      await semaphore.setPermits(7)
      expect(await look.ask(name, 'GET')).toBe('6')
      await expectSaid(7)
      await semaphore.addPermits(2) // says how many were added
      await semaphore.addPermits(-3)
      expect(await look.ask(name, 'GET')).toBe('5')
      await expectSaid(2)

      await semaphore.updateLeaseTime(leased, 30)
      await eventually(async () => (await semaphore.availablePermits()) === 6)
      expect(await look.ask(timeouts, 'EXISTS')).toBe(0)
      await expectSaid(6) // the client that notices the end of a lease publishes how many are free now

      expect(await semaphore.delete()).toBe(true)
      expect(await look.ask(name, 'EXISTS')).toBe(0)
      await expectSaid()
    },
  )

  it('its permits end with it', async () => {
    const semaphore = clients.mine.getPermitExpirableSemaphore('wire-permits-with-end')
    await semaphore.trySetPermits(3)
    await look.ask(semaphore.name, 'PEXPIRE', 60_000)
    await semaphore.acquire()
    expect(await look.ask('{wire-permits-with-end}:timeout', 'PTTL')).toBeGreaterThan(50_000)
    await semaphore.delete()
  })

  it('a permit that Java has taken can be given back, and its end is known', async () => {
    const semaphore = clients.mine.getPermitExpirableSemaphore('wire-permits-of-java')
    const id = Buffer.from('sixteen bytes !!').toString('hex')
    await look.ask(semaphore.name, 'SET', 0)
    await look.ask('{wire-permits-of-java}:timeout', 'ZADD', NEVER, 'sixteen bytes !!')
    expect(await semaphore.getLeaseTime(id)).toBe(-1)
    expect(await semaphore.tryRelease(id)).toBe(true)
    expect(await semaphore.availablePermits()).toBe(1)
    await semaphore.delete()
  })
})
