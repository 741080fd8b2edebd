import { describe, expect, it } from 'vitest'
import type { RTopic } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { describeCodecs, openSides, type Sides } from './codec-pairs.js'

/** More than one packet of the network. */
const MANY = 500

/** How either side has a topic. */
const kinds = [
  ['a topic', 'getTopic'],
  ['a sharded topic', 'getShardedTopic'],
] as const

/** What topics of either side owe the other. */
export function topicsAcrossSides(bench: InteropFixture): void {
  describe.each(kinds)('%s', (_, get) => {
    describeCodecs(bench, 'of messages', (sides, { values }) => {
      it('is heard by both sides, whichever publishes', async () => {
        const name = `${bench.name()}канал`
        const topic = sides.node[get](name)
        const heard: unknown[] = []
        await using node = await topic.addListener((message, channel) => heard.push([channel, message]))
        await sides.java.listen(name, [get, name])
        const expected: unknown[] = []
        for (const value of values) {
          await topic.publish(value)
          await sides.java.call([get, name], ['publish', value])
          expected.push([name, value], [name, value])
          // The two sides have connections of their own, so that the next pair is published when these have come.
          await eventually(() => expect(heard).toEqual(expected))
          await eventually(async () => expect(await sides.java.heard(name)).toEqual(expected))
        }
        await sides.java.call([get, name], ['removeAllListeners'])
        await node.unsubscribe()
      })
    })

    describe('of numbers', () => {
      const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

      it('brings all messages of the other side in their order', async () => {
        const name = bench.name()
        const topic: RTopic<number> = sides.node[get]<number>(name)
        const heard: number[] = []
        await using node = await topic.addListener((message) => heard.push(message))
        await sides.java.listen(name, [get, name])
        const numbers = Array.from({ length: MANY }, (_, n) => n)
        await Promise.all(numbers.map((n) => topic.publish(n)))
        const notified = async () => (await sides.java.heard(name)).map((each) => (each as unknown[])[1])
        await eventually(async () => expect(await notified()).toEqual(numbers))
        expect(heard).toEqual(numbers)
        await sides.java.call([get, name], ['removeAllListeners'])
        await node.unsubscribe()
      })

      it('counts the clients of both sides', async () => {
        const name = bench.name()
        const topic = sides.node[get](name)
        await using node = await topic.addListener(() => undefined)
        await sides.java.listen(name, [get, name])
        if (bench.topology.kind === 'single' || get === 'getShardedTopic') {
          expect(await topic.publish(1)).toBe(2)
          expect(await topic.countSubscribers()).toBe(2)
          expect(await sides.java.call([get, name], ['countSubscribers'])).toBe(2)
        }
        await sides.java.call([get, name], ['removeAllListeners'])
        await node.unsubscribe()
      })
    })
  })

  describeCodecs(bench, 'a pattern of topics', (sides, { values }) => {
    it('is heard by both sides, whichever publishes', async () => {
      const start = bench.name()
      const pattern = `${start}.*`
      const name = `${start}.новое`
      const heard: unknown[] = []
      await using node = await sides.node
        .getPatternTopic(pattern)
        .addListener((message, channel) => heard.push([pattern, channel, message]))
      await sides.java.listen(pattern, ['getPatternTopic', pattern])
      const expected: unknown[] = []
      for (const value of values) {
        await sides.node.getTopic(name).publish(value)
        await sides.java.call(['getTopic', name], ['publish', value])
        await sides.node.getTopic(start).publish(value) // which does not match
        expected.push([pattern, name, value], [pattern, name, value])
        await eventually(() => expect(heard).toEqual(expected))
        await eventually(async () => expect(await sides.java.heard(pattern)).toEqual(expected))
      }
      await endInJava(sides, pattern)
      await node.unsubscribe()
    })
  })

  describe('topics under mapped names', () => {
    it('are the same on both sides, and reported by the names of the program', async () => {
      const prefix = 'mapped:'
      const nameMapper = {
        map: (name: string) => `${prefix}${name}`,
        unmap: (name: string) => name.slice(prefix.length),
      }
      await using mapped = await bench.open({ node: { nameMapper }, java: { prefix, codec: PLAIN_JSON } })
      const sides = { node: mapped.node, java: mapped.java.thread('mapped') }
      const name = bench.name()
      const heard: unknown[] = []
      await using plain = await mapped.node
        .getTopic(name)
        .addListener((message, channel) => heard.push([channel, message]))
      await using byPattern = await mapped.node
        .getPatternTopic(`${prefix}${name}*`)
        .addListener((message, channel) => heard.push([channel, message]))
      await sides.java.listen(name, ['getTopic', name])
      await sides.java.call(['getTopic', name], ['publish', 1])
      await eventually(() =>
        expect(heard).toEqual([
          [name, 1],
          [name, 1],
        ]),
      )
      await mapped.node.getTopic(name).publish(2)
      await eventually(async () => expect(await sides.java.heard(name)).toHaveLength(2))
      await sides.java.call(['getTopic', name], ['removeAllListeners'])
      await Promise.all([plain.unsubscribe(), byPattern.unsubscribe()])
    })
  })
}

async function endInJava({ java }: Sides, pattern: string): Promise<void> {
  await java.call(['getPatternTopic', pattern], ['removeAllListeners'])
}
