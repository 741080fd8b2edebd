import { describe, expect, it } from 'vitest'
import type { ChannelListener } from '../../../src/pubsub/subscriptions.js'
import { Handovers } from '../../../src/queues/transfer-queue/handover.js'
import type { LockContext } from '../../../src/core/context/object-context.js'

/** Handovers, with the listeners that they have, by channel. */
function handovers() {
  const listeners: { channel: string; listener: ChannelListener }[] = []
  const joinAnnouncements = (channel: string, listener: ChannelListener) => {
    const joined = { channel, listener }
    listeners.push(joined)
    const leave = () => listeners.splice(listeners.indexOf(joined), 1)
    return { confirmed: true, standing: true, refusal: undefined, leave }
  }
  const subscriptions = { joinAnnouncements } as unknown as LockContext['subscriptions']
  const say = (words: string) => {
    for (const { listener } of listeners) listener.message(Buffer.from(words), 'any')
  }
  return { all: new Handovers({ subscriptions }), listeners, say }
}

describe('the hand-offs of a client', () => {
  it('have one listener for each queue, as long as it has one of them', () => {
    const { all, listeners } = handovers()
    for (const id of ['1a', '1b', '1c']) all.join('q', id)
    all.join('other', '1d')
    expect(listeners.map(({ channel }) => channel)).toEqual(['q', 'other'])
    for (const id of ['1a', '1a', '1b', '1c']) all.leave('q', id)
    expect(listeners.map(({ channel }) => channel)).toEqual(['other'])
    all.join('q', '1e')
    expect(listeners).toHaveLength(2)
  })

  it('are done by a message with their ids, and no others', async () => {
    const { all, say } = handovers()
    const [first, second, third] = ['1a', '1b', '1a1b'].map((id) => all.join('q', id))
    say('1a 1b 77')
    expect([first?.isDone, second?.isDone, third?.isDone]).toEqual([true, true, false])
    expect(await first?.wait(0)).toBe(true)
    expect(await third?.wait(0)).toBe(false)
  })

  it.each(['subscribed', 'gap', 'message'] as const)('look by %s, without being done', async (event) => {
    const { all, listeners, say } = handovers()
    const handover = all.join('q', '1a')
    if (event === 'message') say('1')
    else listeners[0]?.listener[event]()
    expect([await handover.wait(0), handover.isDone]).toEqual([true, false])
  })
})
