import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const DAY_MS = 86_400_000

describe('the queue of a fair lock', () => {
  noLeaks(single)
  const clients = twoClients(single)
  let names = 0

  const make = () => {
    const name = `queue-keys-${String(names++)}`
    const keyOf = {
      list: `redisson_lock_queue:{${name}}`,
      times: `redisson_lock_timeout:{${name}}`,
      heartbeats: `redisson_lock_heartbeat:{${name}}`,
    }
    const ask = (command: string, key: string, ...args: readonly (string | number)[]) =>
      askOwner(single, key, command, ...args)
    const inLine = async () => (await ask('LRANGE', keyOf.list, 0, -1)) as string[]
    const untilInLine = (count: number) =>
      eventually(async () => (await inLine()).length === count, { what: `${String(count)} in line` })
    const [mine, theirs] = [clients.mine.getFairLock(name), clients.other.getFairLock(name)]
    return { name, keyOf, ask, inLine, untilInLine, mine, theirs }
  }

  const waitFor = (lock: RLock, served: string[], who: string) =>
    elsewhere(() => lock.withLock(() => served.push(who)))

  describe.each(['list', 'times', 'heartbeats'] as const)('of which the %s was removed', (part) => {
    it('gets its waiters back, who are served with those who came later', async () => {
      const { keyOf, ask, untilInLine, mine, theirs } = make()
      const hold = await theirs.acquire()
      const served: string[] = []
      const visits = [waitFor(mine, served, 'first')]
      await untilInLine(1)
      visits.push(waitFor(theirs, served, 'second'))
      await untilInLine(2)
      await ask('UNLINK', keyOf[part])
      visits.push(waitFor(mine, served, 'third'))
      await untilInLine(3)
      await hold.unlock()
      await Promise.all(visits)
      expect(served.toSorted()).toEqual(['first', 'second', 'third'])
    })
  })

  it('gets a waiter back that one removed from the list, though Java waits as well', async () => {
    const { keyOf, ask, inLine, untilInLine, mine, theirs } = make()
    const hold = await theirs.acquire()
    const waiting = elsewhere(() => mine.acquire())
    await untilInLine(1)
    const [owner] = await inLine()
    const [seconds] = (await single.nodes[0].command('TIME')) as [string, string]
    for (const java of ['java:1', 'java:2']) {
      await ask('ZADD', keyOf.times, (Number(seconds) + 60) * 1000, java)
      await ask('RPUSH', keyOf.list, java)
    }
    await ask('LREM', keyOf.list, 1, owner ?? '')
    await untilInLine(3)
    await ask('UNLINK', keyOf.list, keyOf.times) // the end of Java's
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('does not stay for ever when its last waiter was cut off', async () => {
    const { keyOf, ask, untilInLine, mine, theirs } = make()
    const hold = await theirs.acquire()
    const waiting = elsewhere(() => mine.acquire())
    await untilInLine(1)
    for (const key of [keyOf.list, keyOf.times]) {
      const leftMs = Number(await ask('PTTL', key))
      expect(leftMs).toBeGreaterThan(DAY_MS)
      expect(leftMs).toBeLessThan(3 * DAY_MS)
    }
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('outlasts the waiters of Java, however late they end', async () => {
    const { keyOf, ask, untilInLine, mine, theirs } = make()
    const hold = await theirs.acquire()
    const [seconds] = (await single.nodes[0].command('TIME')) as [string, string]
    await ask('ZADD', keyOf.times, Number(seconds) * 1000 + 10 * DAY_MS, 'java:1')
    await ask('RPUSH', keyOf.list, 'java:1')
    const waiting = elsewhere(() => mine.acquire())
    await untilInLine(2)
    await sleep(10)
    expect(Number(await ask('PTTL', keyOf.list))).toBeGreaterThan(11 * DAY_MS - 60_000) // a test takes no longer
    await ask('LREM', keyOf.list, 1, 'java:1')
    await ask('ZREM', keyOf.times, 'java:1')
    await hold.unlock()
    await (await waiting).unlock()
  })
})
