import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

const names = [
  ['wire-leader', 'ioredisson_leader:{wire-leader}'],
  ['{tag}:wire-leader', 'ioredisson_leader:{tag}:wire-leader'],
] as const

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology, { except: /^redisson_lock_token:/ })

  it.each(names)('the leader of %s holds a fenced lock', async (name, key) => {
    const election = clients.mine.getLeaderElection(name)
    await election.run(
      async ({ token }) => {
        expect(await look.ask(key, 'HGETALL')).toEqual([await election.getLeader(), '1'])
        expect(await look.ask(`redisson_lock_token:${key}`, 'GET')).toBe(String(token))
      },
      { requeue: false },
    )
    expect(await look.ask(key, 'EXISTS')).toBe(0)
    expect(await look.messagesAt(`redisson_lock__channel:${key}`)).toEqual([`${look.publish} 0`])
  })
})
