import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { pairs } from '../../support/pairs.js'
import { topologies } from '../../support/topologies.js'

/** What Java Redisson makes of a name: the counter and the channel of a fenced lock. */
const names = [
  {
    name: 'wire-fenced',
    token: 'redisson_lock_token:{wire-fenced}',
    channel: 'redisson_lock__channel:{wire-fenced}',
  },
  {
    name: '{tag}:wire-fenced',
    token: 'redisson_lock_token:{tag}:wire-fenced',
    channel: 'redisson_lock__channel:{tag}:wire-fenced',
  },
]

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'

  describe.each(names)('a fenced lock called $name', ({ name, token, channel }) => {
    noLeaks(topology, { keeps: /^redisson_lock_token:/ })
    const lock = () => clients.mine.getFencedLock(name)
    const hash = async () => pairs((await askOwner(topology, name, 'HGETALL')) as string[])

    it('is a hash of the owner to its hold count, and a counter beside it', async () => {
      const states: unknown[] = []
      const note = async () => states.push([await hash(), await askOwner(topology, token, 'GET')])
      let owner = ''
      await lock().withLock(async (hold) => {
        owner = hold.owner
        await note()
        await lock().withLock(note)
        await note()
      })
      await note()
      await lock().withLock(() => undefined)
      await note()
      expect(states).toEqual([
        [{ [owner]: '1' }, '1'],
        [{ [owner]: '2' }, '1'],
        [{ [owner]: '1' }, '1'],
        [{}, '1'],
        [{}, '2'],
      ])
    })

    it('keeps its counter for good, as plain text without an end', async () => {
      await lock().withLock(() => undefined)
      expect(await askOwner(topology, token, 'TYPE')).toBe('string')
      expect(await askOwner(topology, token, 'PTTL')).toBe(-1)
    })

    it('has its counter raised in the step that takes it, and in no other', async () => {
      await lock().withLock(() => undefined)
      await using monitor = await Monitor.of(topology.nodes)
      await lock().withLock(() => undefined)
      const steps = (await monitor.deeds()).filter(({ by }) => by === 'script').map(({ words }) => words)
      expect(steps.filter(([command]) => command === 'incr')).toEqual([['incr', token]])
      expect(steps.findIndex(([command]) => command === 'incr')).toBeLessThan(
        steps.findIndex(([command]) => command === 'del'),
      )
    })

    it('is announced as free on the channel of an ordinary lock', async () => {
      await using monitor = await Monitor.of(topology.nodes)
      await lock().withLock(() => undefined)
      expect(await monitor.published()).toEqual([[publish, channel, '0']])
    })

    it('goes on counting where Java has counted, who holds it by a field of its own', async () => {
      const java = `${randomUUID()}:57`
      await askOwner(topology, token, 'INCRBY', 41)
      await askOwner(topology, name, 'HSET', java, 1)
      await askOwner(topology, name, 'PEXPIRE', 60_000)
      expect(await lock().tryLockAndGetToken()).toBeUndefined()
      await askOwner(topology, name, 'DEL')
      expect(await lock().lockAndGetToken()).toBe(42)
      await lock().unlock()
    })
  })
})
