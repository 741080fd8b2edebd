import { describe, expect, it } from 'vitest'
import type { Codec, RReliableTopic } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor, type Deed } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const MESSAGES = 5

/** No more commands than that run for each message and subscriber, with those that no number of subscribers changes. */
const COMMANDS = 16

/** A codec that returns the bytes that it is given. */
const asIs: Codec<Uint8Array> = { name: 'as-is', encode: (bytes) => bytes, decode: (bytes) => bytes }

describe('what the subscribers of a reliable topic in one process cost', () => {
  noLeaks(single)
  const clients = twoClients(single)

  const sentOf = (deeds: readonly Deed[]) =>
    deeds.filter(({ by, words }) => by === 'client' && words[0] === 'evalsha')
  const runOf = (deeds: readonly Deed[]) => deeds.filter(({ by }) => by === 'script')

  const emptied = (topic: RReliableTopic<unknown>) =>
    eventually(async () => expect(await topic.size()).toBe(0))

  const free = async (topic: RReliableTopic<unknown>) => {
    await topic.removeAllListeners()
    await topic.delete()
  }

  it.each([2, 40])('is one read for all, and some commands for each of %i', async (count) => {
    const topic = clients.mine.getReliableTopic<number>(`cost-together-${String(count)}`)
    const heard = Array.from({ length: count }, (): number[] => [])
    for (const each of heard) await topic.addListener((message) => void each.push(message))
    await topic.publish(-1)
    await eventually(() => expect(heard.every((each) => each.length === 1)).toBe(true))
    await emptied(topic)
    await using monitor = await Monitor.of(single.nodes)
    for (let message = 0; message < MESSAGES; message += 1) {
      await topic.publish(message)
      await emptied(topic)
    }
    const deeds = await monitor.deeds()
    const messages = [-1, ...Array.from({ length: MESSAGES }, (_, n) => n)]
    expect(heard).toEqual(heard.map(() => messages))
    expect(runOf(deeds).length).toBeLessThan(MESSAGES * COMMANDS * (count + 2))
    expect(sentOf(deeds).length).toBeLessThan(MESSAGES * 10)
    await free(topic)
  })

  it('does not grow with the square of their number where each takes its own time', async () => {
    const count = 40
    const topic = clients.mine.getReliableTopic<number>('cost-apart')
    let waiting: (() => void)[] = []
    for (let each = 0; each < count; each += 1)
      await topic.addListener(() => new Promise<void>((resolve) => void waiting.push(resolve)))
    await using monitor = await Monitor.of(single.nodes)
    for (let message = 0; message < MESSAGES; message += 1) {
      await topic.publish(message)
      await eventually(() => expect(waiting).toHaveLength(count))
      const ends = waiting
      waiting = []
      for (const end of ends) {
        end()
        await topic.size()
      }
      await emptied(topic)
    }
    expect(runOf(await monitor.deeds()).length).toBeLessThan(MESSAGES * COMMANDS * (count + 2))
    await free(topic)
  })

  it('is no place of another one: each reads all from where it begins', async () => {
    const topic = clients.mine.getReliableTopic<number>('cost-places')
    const numbers = Array.from({ length: 250 }, (_, n) => n)
    const ids: `${number}-${number}`[] = []
    await topic.setHistory(60_000)
    const first = await topic.addListener((_message, { id }) => void ids.push(id as `${number}-${number}`))
    for (const number of numbers) await topic.publish(number)
    await eventually(() => expect(ids).toHaveLength(numbers.length))
    await first.unsubscribe()
    const begins = [0, 0, 1, 120, 120, 249]
    const heard = begins.map((): number[] => [])
    await Promise.all(
      begins.map((begin, at) =>
        topic.addListener((message) => void heard[at]?.push(message), {
          from: begin === 0 ? 'beginning' : (ids[begin - 1] ?? 'now'),
        }),
      ),
    )
    await eventually(() => expect(heard).toEqual(begins.map((begin) => numbers.slice(begin))))
    await free(topic)
  })

  it('is no message of another one: what a listener changes, others get as it was', async () => {
    const topic = clients.mine.getReliableTopic('cost-bytes', { codec: asIs })
    const heard: string[] = []
    for (let each = 0; each < 3; each += 1)
      await topic.addListener((bytes) => {
        heard.push(Buffer.from(bytes).toString())
        bytes.fill(0)
      })
    await topic.publish(Buffer.from('bytes'))
    await eventually(() => expect(heard).toEqual(['bytes', 'bytes', 'bytes']))
    await free(topic)
  })
})
