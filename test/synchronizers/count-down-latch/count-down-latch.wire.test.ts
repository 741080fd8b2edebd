import { describe, expect, it } from 'vitest'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  const names = [
    ['wire-latch', 'redisson_countdownlatch__channel__{wire-latch}'],
    [
      '{tag}:wire-latch',
      // Java's channel belongs to another slot, and has no latch of such a name in a cluster (S-14).
      topology.kind === 'cluster'
        ? 'redisson_countdownlatch__channel__{tag}:wire-latch'
        : 'redisson_countdownlatch__channel__{{tag}:wire-latch}',
    ],
  ] as const

  it.each(names)('a latch called %s is a number until it is zero', async (name, channel) => {
    const latch = clients.mine.getCountDownLatch(name)
    await latch.trySetCount(2)
    await latch.trySetCount(7)
    expect([await look.ask(name, 'GET'), await look.ask(name, 'TYPE'), await look.ask(name, 'PTTL')]).toEqual(
      ['2', 'string', -1],
    )
    await latch.countDown()
    expect(await look.ask(name, 'GET')).toBe('1')
    const waiting = clients.other.getCountDownLatch(name).await()
    await untilAwaited(topology, name)
    expect(await channelsOf(topology)).toEqual([channel])
    await latch.countDown()
    await waiting
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    await latch.countDown()
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    await latch.trySetCount(3)
    await latch.delete()
    await latch.delete()
    // Set, zero, set, deleted; a count below zero is never returned.
    const said = ['1', '0', '1', '1'].map((message) => `${look.publish} ${message}`)
    expect(await look.messagesAt(channel)).toEqual(said)
  })
})
