import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** Adds an entry of the timestamp 1 with chosen bytes, and an end. */
const ADD = `
  local record = struct.pack('BBc0Lc0L', 2, 16, ARGV[1], #ARGV[2], ARGV[2], 0)
  redis.call('zadd', KEYS[1], 1, record)
  redis.call('zadd', KEYS[2], ARGV[3], record)`

/** What time series of either side owe the other. */
export function timeSeriesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...calls: [string, ...unknown[]][]) =>
    thread.call(['getTimeSeries', name], ...calls)

  describeCodecs(bench, 'a time series', (sides, { values }) => {
    it.each(['ряд', '{tag}:series', 'a{tag}b'])(
      'called %s has the same values and labels on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const series = sides.node.getTimeSeries(name)
        const java = (...calls: [string, ...unknown[]][]) => inJava(sides.java, name, ...calls)
        for (const [place, value] of values.entries()) {
          const [mine, theirs] = [1_700_000_000_000 + 2 * place, 1_700_000_000_001 + 2 * place]
          const label = values.at(-1 - place)
          await series.add(mine, value, { label })
          await java(['add', theirs, value, label])
          for (const timestamp of [mine, theirs]) {
            expect(await series.getEntry(timestamp)).toEqual({ timestamp, value, label })
            expect(await java(['get', timestamp])).toEqual(value)
            expect(await java(['getEntry', timestamp], ['getLabel'])).toEqual(label)
            expect(await java(['getEntry', timestamp], ['getTimestamp'])).toBe(timestamp)
          }
          await series.add(-1 - place, value)
          await java(['add', -100 - place, value])
          for (const timestamp of [-1 - place, -100 - place]) {
            expect(await series.getEntry(timestamp)).toEqual({ timestamp, value })
            expect(await java(['get', timestamp])).toEqual(value)
            expect(await java(['getEntry', timestamp], ['getLabel'])).toBeNull()
          }
        }
        expect(await series.size()).toBe(4 * values.length)
        expect(await java(['size'])).toBe(4 * values.length)
        const all = [-1_000, 1_800_000_000_000] as const
        expect(await java(['range', ...all])).toEqual(await series.range(...all))
        expect(await java(['rangeReversed', ...all])).toEqual(await series.rangeReversed(...all))
        expect(await java(['range', ...all, 3])).toEqual(await series.range(...all, 3))
        expect(await java(['iterator'])).toEqual(await allOf(series))
        expect(await java(['removeRange', -1_000, 0])).toBe(2 * values.length)
        expect(await series.removeRange(...all)).toBe(2 * values.length)
        expect(await java(['isExists'])).toBe(false)
      },
    )
  })

  describe('a time series', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('is removed from by either side', async () => {
      const name = bench.name()
      const series = sides.node.getTimeSeries<string, string>(name)
      const java = (...calls: [string, ...unknown[]][]) => inJava(sides.java, name, ...calls)
      await series.addAll([1, 2, 3, 4, 5, 6].map((timestamp) => [timestamp, `v${String(timestamp)}`]))
      expect(await java(['remove', 1])).toBe(true)
      expect(await series.remove(1)).toBe(false)
      expect(await series.remove(2)).toBe(true)
      expect(await java(['remove', 2])).toBe(false)
      expect(await java(['getAndRemove', 3])).toBe('v3')
      expect(await java(['getAndRemoveEntry', 4], ['getValue'])).toBe('v4')
      expect(await series.pollFirst()).toBe('v5')
      expect(await java(['pollLast'])).toBe('v6')
      expect(await askOwner(bench.topology, name, 'EXISTS', `redisson__ts_ttl:{${name}}`)).toBe(0)
    })

    it('hides what has ended on both sides', async () => {
      const name = bench.name()
      const series = sides.node.getTimeSeries<string, string>(name)
      const java = (...calls: [string, ...unknown[]][]) => inJava(sides.java, name, ...calls)
      await series.add(1, 'mine', { ttlMs: 200 })
      await java(['add', 2, 'theirs', 200, 'MILLISECONDS'])
      await series.add(3, 'stays', { ttlMs: 600_000 })
      await java(['add', 4, 'labelled', 'x', 'PT600S'])
      await eventually(async () => {
        expect(await series.range(0, 9)).toEqual(['stays', 'labelled'])
      })
      await eventually(async () => {
        expect(await java(['range', 0, 9])).toEqual(['stays', 'labelled'])
      })
      expect(await java(['size'])).toBe(await series.size())
      expect(await java(['get', 1])).toBeNull()
      expect(await series.get(2)).toBeUndefined()
      expect(await series.delete()).toBe(true)
    })

    it('has its first and its last entry by the timestamp in Node, and by the end of the entry in Java', async () => {
      const name = bench.name()
      const series = sides.node.getTimeSeries<string>(name)
      const java = (...calls: [string, ...unknown[]][]) => inJava(sides.java, name, ...calls)
      await java(['add', 1, 'early', 'x', 'PT900S'])
      await series.add(2, 'late', { ttlMs: 600_000 })
      expect([await series.first(), await series.last()]).toEqual(['early', 'late'])
      expect([await series.firstTimestamp(), await series.lastTimestamp()]).toEqual([1, 2])
      expect([await java(['first']), await java(['last'])]).toEqual(['late', 'early'])
      expect(await series.pollFirst()).toBe('early')
      await series.delete()
    })

    it('has the entry of a timestamp beside one that has ended in Node, and not always in Java', async () => {
      const name = bench.name()
      const ttl = `redisson__ts_ttl:{${name}}`
      const series = sides.node.getTimeSeries<string>(name)
      const owner = await ownerOf(bench.topology, name)
      const add = (id: string, value: string, end: number) =>
        owner.command('EVAL', ADD, 2, name, ttl, id.repeat(16), JSON.stringify(value), end)
      await add('a', 'ended', 1)
      await add('b', 'there', 4e15)
      expect(await series.get(1)).toBe('there')
      expect(await inJava(sides.java, name, ['get', 1])).toBeNull()
      expect(await inJava(sides.java, name, ['remove', 1])).toBe(false)
      expect(await series.remove(1)).toBe(true)
      expect(await owner.command('EXISTS', name, ttl)).toBe(0)
    })

    it('is renamed and made to expire by either side, with both keys', async () => {
      const [name, other] = [`{${bench.name()}}`, 'other']
      const series = sides.node.getTimeSeries<string>(name)
      await series.add(1, 'a', { ttlMs: 600_000 })
      await series.rename(`${name}${other}`)
      expect(await inJava(sides.java, `${name}${other}`, ['firstTimestamp'])).toBe(1)
      expect(await inJava(sides.java, `${name}${other}`, ['expire', 'PT600S'])).toBe(true)
      const renamed = sides.node.getTimeSeries<string>(`${name}${other}`)
      expect(await renamed.remainTimeToLive()).toBeGreaterThan(0)
      expect(
        Number(await askOwner(bench.topology, `redisson__ts_ttl:${name}${other}`, 'PTTL')),
      ).toBeGreaterThan(0)
      expect(await inJava(sides.java, `${name}${other}`, ['delete'])).toBe(true)
      expect(await renamed.size()).toBe(0)
    })
  })
}
