import { describe, expect, it } from 'vitest'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { untilAwaited, channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { pairs } from '../../support/pairs.js'
import { acquireOnce } from '../../../src/locks/reentrant/lock.scripts.js'
import { topologies } from '../../support/topologies.js'

const name = 'wire-strict'
const channel = 'redisson_lock__channel:{wire-strict}'

describe.each(topologies)('on the wire ($kind), a non-reentrant lock', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'
  const lock = () => clients.mine.getNonReentrantLock(name)
  const hash = async () => pairs((await askOwner(topology, name, 'HGETALL')) as string[])

  it('is a hash of the owner to 1, announced as free when it is deleted', async () => {
    await using monitor = await Monitor.of(topology.nodes)
    await lock().lock({ leaseMs: 60_000 })
    expect(Object.values(await hash())).toEqual(['1'])
    await lock().unlock()
    expect(await hash()).toEqual({})
    const steps = (await monitor.deeds()).filter(({ by }) => by === 'script').map(({ words }) => words)
    expect(steps.slice(-2)).toEqual([
      ['del', name],
      [publish, channel, '0'],
    ])
  })

  it('is waited for on the channel of an ordinary lock', async () => {
    const hold = await lock().acquire()
    const waiting = elsewhere(() => clients.other.getNonReentrantLock(name).acquire())
    await untilAwaited(topology, name)
    expect(await channelsOf(topology)).toEqual([channel])
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('answers its owner with NON_REENTRANT_REACQUIRE, and nothing changes', async () => {
    const hold = await lock().acquire({ leaseMs: 60_000 })
    const node = await ownerOf(topology, name)
    const latch = `redisson_unlock_latch:{${name}}:00000000000000000000000000000000`
    const call = [2, name, latch, 1_000, hold.owner, 0, 0]
    await expect(node.command('EVAL', acquireOnce.source, ...call)).rejects.toThrow(
      /^(ERR )?NON_REENTRANT_REACQUIRE/,
    )
    expect(await hash()).toEqual({ [hold.owner]: '1' })
    expect(await askOwner(topology, name, 'PTTL')).toBeGreaterThan(50_000)
    await hold.unlock()
  })
})
