import { expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'
import type { JavaThread } from '../java-peer.js'
import { describeCodecs } from './codec-pairs.js'

/** What HyperLogLogs of either side owe the other. */
export function hyperLogLogsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getHyperLogLog', name], call)

  describeCodecs(bench, 'a HyperLogLog', (sides, { values }) => {
    it.each(['журнал', '{tag}:log', 'a{tag}b'])(
      'called %s counts the same values on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const log = sides.node.getHyperLogLog(name)
        let different = 0
        for (const value of values) {
          const isNew = await log.add(value)
          if (isNew) different += 1
          expect(await inJava(sides.java, name, 'add', value)).toBe(false)
          expect(await inJava(sides.java, name, 'count')).toBe(different)
        }
        expect(await log.count()).toBe(different)
        expect(await inJava(sides.java, name, 'delete')).toBe(true)
        for (const value of values) {
          await inJava(sides.java, name, 'add', value)
          expect(await log.add(value)).toBe(false)
        }
        expect(await log.delete()).toBe(true)
      },
    )
  })
}
