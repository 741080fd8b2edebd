import { describe, expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** Messages as the peer shows them: by their ids, with names as texts. */
type JavaMessages = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What streams of either side owe the other. */
export function streamsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getStream', name], call)

  describeCodecs(bench, 'a stream', (sides, { keys, values }) => {
    it.each(['поток', '{tag}:stream', 'a{tag}b'])(
      'called %s has the same messages, groups and pending messages on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const stream = sides.node.getStream(name, {} as never)
        const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
        const fields = keys.map((key, n) => [key, values[n]] as const)
        const shown = Object.fromEntries(fields.map(([key, value]) => [String(key), value]))
        const mine = await stream.add(fields as never)
        const theirs = String(await java('add', fields))
        expect(await stream.range()).toEqual([
          { id: mine, fields: new Map(fields) },
          { id: theirs, fields: new Map(fields) },
        ])
        expect(await java('range', '-', '+')).toEqual({ [mine]: shown, [theirs]: shown })
        expect(await java('size')).toBe(2)
        await java('createGroup', 'g')
        expect(await stream.createGroup('g')).toBe(false)
        expect(await java('readGroup', 'g', 'java', 1)).toEqual({ [mine]: shown })
        expect((await stream.readGroup('g', 'node')).map(({ id }) => id)).toEqual([theirs])
        expect((await stream.getPendingInfo('g')).consumers).toEqual(
          new Map([
            ['java', 1],
            ['node', 1],
          ]),
        )
        expect(await java('pendingRange', 'g', 'node', '-', '+', 5)).toEqual({ [theirs]: shown })
        expect(await stream.pendingRange('g', { consumer: 'java' })).toEqual([
          { id: mine, fields: new Map(fields) },
        ])
        expect(await java('ack', 'g', [theirs])).toBe(1)
        expect(await stream.ack('g', mine)).toBe(1)
        expect(await java('remove', [mine])).toBe(1)
        expect(await stream.remove(theirs)).toBe(1)
        expect(await java('size')).toBe(0)
        await java('delete')
        expect(await stream.getInfo()).toBeUndefined()
      },
    )
  })

  describe('a stream', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('has the messages of Java consumed in Node, and claimed from a consumer in Java', async () => {
      const name = bench.name()
      const stream = sides.node.getStream<string, number>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      await java('createGroup', 'g')
      await java('add', [['n', 1]])
      await java('add', [['n', 2]])
      const taken = (await java('readGroup', 'g', 'java', 1)) as JavaMessages
      expect(Object.values(taken)).toEqual([{ n: 1 }])
      const seen: unknown[] = []
      for await (const message of stream.consumer('g', { claimIdleMs: 100 })) {
        seen.push([message.fields.get('n'), message.deliveries])
        await message.ack()
        if (seen.length === 2) break
      }
      expect(seen.toSorted()).toEqual([
        [1, 2],
        [2, 1],
      ])
      expect((await stream.getPendingInfo('g')).total).toBe(0)
      await stream.delete()
    })
  })
}
