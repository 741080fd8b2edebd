import { describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.js'
import { channelsOf } from '../../support/channels.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { Call, JavaThread } from '../java-peer.js'
import { medianOf } from '../measure.js'
import { directions, IN_VAIN_MS } from '../sides.js'

/** A count that both sides lower, and wait for. */
export function countDownLatchAcrossSides(bench: InteropFixture): void {
  describe('a count-down latch', () => {
    const inJava = (thread: JavaThread, name: string, ...call: Call) =>
      thread.call(['getCountDownLatch', name], call)
    const inNode = (name: string) => bench.node[0].getCountDownLatch(name)

    it('has one count, and can be set again when it is zero', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      expect(await inJava(thread, name, 'trySetCount', 2)).toBe(true)
      expect(await inNode(name).trySetCount(5)).toBe(false)
      await inNode(name).countDown()
      expect(await inJava(thread, name, 'getCount')).toBe(1)
      await inJava(thread, name, 'countDown')
      expect(await inNode(name).getCount()).toBe(0)
      expect(await inNode(name).await(0)).toBe(true)
      expect(await inNode(name).trySetCount(1)).toBe(true)
      expect(await inJava(thread, name, 'trySetCount', 1)).toBe(false)
      expect(await inJava(thread, name, 'await', IN_VAIN_MS, 'MILLISECONDS')).toBe(false)
      expect(await inNode(name).await(300)).toBe(false)
      expect(await inJava(thread, name, 'delete')).toBe(true)
    })

    it.for(directions)(
      'counted down in %s, releases who waits in %s, and there as well',
      async ([last, waits], { annotate }) => {
        const times: number[] = []
        for (let round = 0; round < 5; round += 1) {
          const [name, first] = [bench.name(), bench.thread()]
          await inNode(name).trySetCount(2)
          const own = last === 'Node' ? inNode(name).await({}) : inJava(bench.thread(), name, 'await')
          const others = waits === 'Node' ? inNode(name).await({}) : inJava(bench.thread(), name, 'await')
          await untilSubscribed(bench, name, 2)
          const countDown = {
            Node: () => inNode(name).countDown(),
            Java: () => inJava(first, name, 'countDown'),
          }
          await countDown[waits]()
          expect(await inNode(name).getCount()).toBe(1)
          const startedAt = performance.now()
          await countDown[last]()
          await others
          times.push(performance.now() - startedAt)
          await own
        }
        await annotate(`median ${medianOf(times)} ms`)
      },
    )

    it('deleted in Java, releases who waits in Node', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inNode(name).trySetCount(2)
      const waiting = inNode(name).await({})
      await untilSubscribed(bench, name, 1)
      await inJava(thread, name, 'delete')
      expect(await waiting).toBe(true)
    })
  })
}

/** Resolves when that number of clients listen to a latch. */
async function untilSubscribed({ topology }: InteropFixture, name: string, clients: number): Promise<void> {
  const listening = async () => {
    const [channel = ''] = (await channelsOf(topology)).filter((found) => found.includes(name))
    const counts = await Promise.all(
      topology.nodes.map(async (node) => {
        const [, ordinary] = (await node.command('PUBSUB', 'NUMSUB', channel)) as [string, number]
        const [, sharded] = (await node.command('PUBSUB', 'SHARDNUMSUB', channel).catch(() => ['', 0])) as [
          string,
          number,
        ]
        return ordinary + sharded
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0) === clients
  }
  await eventually(listening, { what: `${clients} who listen` })
}
