import { describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** More than Node reads at once. */
const MANY = 250

const GET = 'getReliableTopic'

/** What reliable topics of either side owe the other. */
export function reliableTopicsAcrossSides(bench: InteropFixture): void {
  describeCodecs(bench, 'a reliable topic', (sides, { values }) => {
    it.each(['канал', '{tag}:topic', 'a{tag}b'])(
      'called %s brings the messages of both sides to subscribers of both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const topic = sides.node[GET](name)
        const heard: unknown[] = []
        const node = await topic.addListener((message) => void heard.push(message))
        await sides.java.listen(name, [GET, name])
        const expected: unknown[] = []
        for (const value of values) {
          expect(await topic.publish(value)).toBe(2)
          expect(await sides.java.call([GET, name], ['publish', value])).toBe(2)
          expected.push(value, value)
          await eventually(() => expect(heard).toEqual(expected))
          const inJava = async () => (await sides.java.heard(name)).map((each) => (each as unknown[])[1])
          await eventually(async () => expect(await inJava()).toEqual(expected))
        }
        expect(await topic.countSubscribers()).toBe(2)
        expect(await sides.java.call([GET, name], ['countSubscribers'])).toBe(2)
        await node.unsubscribe()
        expect(await sides.java.call([GET, name], ['countSubscribers'])).toBe(1)
        await topic.delete()
      },
    )
  })

  describe('a reliable topic', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const inJava = (name: string, ...call: [string, ...unknown[]]) => sides.java.call([GET, name], call)
    const numbers = Array.from({ length: MANY }, (_, n) => n)
    const heardInJava = async (name: string) =>
      (await sides.java.heard(name)).map((each) => (each as unknown[])[1])

    it('brings all messages in order, and is empty once both sides have acknowledged them', async () => {
      const name = bench.name()
      const topic = sides.node[GET]<number>(name)
      const heard: number[] = []
      const node = await topic.addListener((message) => void heard.push(message))
      await sides.java.listen(name, [GET, name])
      await Promise.all(numbers.map((n) => topic.publish(n)))
      for (const n of numbers) await inJava(name, 'publish', n)
      await eventually(async () => expect(await heardInJava(name)).toHaveLength(2 * MANY))
      await eventually(() => expect(heard).toHaveLength(2 * MANY))
      expect(heard).toEqual(await heardInJava(name))
      await topic.publish(-1)
      await eventually(async () => expect(await inJava(name, 'size')).toBe(0))
      await node.unsubscribe()
      await topic.delete()
    })

    it('keeps for Node what its listener has not acknowledged, although Java has trimmed', async () => {
      const name = bench.name()
      const topic = sides.node[GET]<number>(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      const slow: number[] = []
      const node = await topic.addListener(
        async (message) => {
          slow.push(message)
          await promise
        },
        { subscriber: 'slow' },
      )
      await sides.java.listen(name, [GET, name])
      for (const n of [1, 2, 3]) await inJava(name, 'publish', n)
      await eventually(async () => expect(await heardInJava(name)).toEqual([1, 2, 3]))
      await eventually(() => expect(slow).toEqual([1]))
      await inJava(name, 'publish', 4) // Java trims after what it has received
      await eventually(async () => expect(await heardInJava(name)).toEqual([1, 2, 3, 4]))
      expect(await topic.size()).toBe(4)
      resolve()
      await eventually(() => expect(slow).toEqual([1, 2, 3, 4]))
      await node.unsubscribe()
      await topic.delete()
    })

    it('keeps the messages of a named subscriber in Node that Java publishes meanwhile', async () => {
      const name = bench.name()
      const topic = sides.node[GET]<number>(name)
      const first = await topic.addListener(() => undefined, { subscriber: 'billing' })
      await first.unsubscribe()
      await sides.java.listen(name, [GET, name])
      for (const n of [1, 2]) expect(await inJava(name, 'publish', n)).toBe(2)
      await eventually(async () => expect(await heardInJava(name)).toEqual([1, 2]))
      const heard: number[] = []
      const second = await topic.addListener((n) => void heard.push(n), { subscriber: 'billing' })
      await eventually(() => expect(heard).toEqual([1, 2]))
      await second.unsubscribe()
      await topic.delete()
    })
  })
}
