import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RTimeSeries, TimeSeriesEntry } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 25 }

type Entry = TimeSeriesEntry<number, string>

/** One call of a series, and what it does to a plain list. */
interface Move {
  readonly what: string
  readonly call: (series: RTimeSeries<number, string>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

/** Entries, each with a timestamp of its own, in their order. */
class Model {
  entries: Entry[] = []

  add(entries: readonly Entry[]): undefined {
    this.entries = [...this.entries, ...entries].toSorted((one, other) => one.timestamp - other.timestamp)
    return undefined
  }

  within(start: number, end: number): Entry[] {
    return this.entries.filter(({ timestamp }) => timestamp >= start && timestamp <= end)
  }

  /** Removes entries. Returns them. */
  take(taken: readonly Entry[]): readonly Entry[] {
    this.entries = this.entries.filter((entry) => !taken.includes(entry))
    return taken
  }
}

const valuesOf = (entries: readonly Entry[]) => entries.map(({ value }) => value)
const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

/** Has what lies between two timestamps end, past the library. */
const END = `
  local found = redis.call('zrangebyscore', KEYS[1], ARGV[1], ARGV[2])
  for _, record in ipairs(found) do redis.call('zadd', KEYS[2], 1, record) end`

describe.each(topologies)('a time series beside a plain list ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const name = 'series-model'

  let next = 0
  /** No two entries have one timestamp: their order would be open. */
  const fresh = (place: number): number => place * 1_000_000 + (next += 1)

  const place = fc.integer({ min: -3, max: 9 })
  const bounds = fc.tuple(place, place).map(([start, end]) => [start * 1_000_000, end * 1_000_000] as const)
  const count = fc.integer({ min: 0, max: 4 })
  const limit = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
  const label = fc.option(fc.constantFrom('', 'x', 'é'), { nil: undefined })
  const entry = fc.tuple(place, label)

  /** The entries of a call, made when it is called. */
  const made = (entries: readonly (readonly [number, string | undefined])[]) => {
    let found: Entry[] | undefined
    return () =>
      (found ??= entries.map(([at, each]) => {
        const timestamp = fresh(at)
        return { timestamp, value: timestamp, ...(each === undefined ? {} : { label: each }) }
      }))
  }

  const moves = fc.oneof(
    fc.tuple(fc.array(entry, { maxLength: 5 }), fc.constantFrom(0, 600_000)).map(([entries, ttlMs]) => {
      const given = made(entries)
      return move(
        'addAll',
        (series) => series.addAll(given(), { ttlMs }),
        (model) => model.add(given()),
      )
    }),
    bounds.map(([start, end]) =>
      move(
        'end of the time to live',
        async () => {
          const owner = await ownerOf(topology, name)
          await owner.command('EVAL', END, 2, name, `redisson__ts_ttl:{${name}}`, start, end)
        },
        (model) => {
          model.take(model.within(start, end))
        },
      ),
    ),
    fc.tuple(bounds, limit).chain(([[start, end], most]) =>
      fc.constantFrom(
        move(
          'range',
          (series) => series.range(start, end, most),
          (model) => valuesOf(model.within(start, end).slice(0, most)),
        ),
        move(
          'entryRangeReversed',
          (series) => series.entryRangeReversed(start, end, most),
          (model) => model.within(start, end).toReversed().slice(0, most),
        ),
        move(
          'removeRange',
          (series) => series.removeRange(start, end),
          (model) => model.take(model.within(start, end)).length,
        ),
      ),
    ),
    count.chain((some) =>
      fc.constantFrom(
        move(
          'firstEntries',
          (series) => series.firstEntries(some),
          (model) => model.entries.slice(0, some),
        ),
        move(
          'last',
          (series) => series.last(some),
          (model) => valuesOf(some === 0 ? [] : model.entries.slice(-some)),
        ),
        move(
          'pollFirst',
          (series) => series.pollFirst(some),
          (model) => valuesOf(model.take(model.entries.slice(0, some))),
        ),
        move(
          'pollLastEntries',
          (series) => series.pollLastEntries(some),
          (model) => model.take(some === 0 ? [] : model.entries.slice(-some)),
        ),
      ),
    ),
    fc.constantFrom(
      move(
        'size',
        (series) => series.size(),
        (model) => model.entries.length,
      ),
      move(
        'firstTimestamp',
        (series) => series.firstTimestamp(),
        (model) => model.entries[0]?.timestamp,
      ),
      move(
        'getAndRemoveEntry',
        async (series) => series.getAndRemoveEntry((await series.lastTimestamp()) ?? 0),
        (model) => model.take(model.entries.slice(-1))[0],
      ),
      move(
        'entries',
        (series) => allOf(series.entries({ count: 2 })),
        (model) => model.entries,
      ),
    ),
  )

  it('does the same for all operations, and leaves nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const series = clients.mine.getTimeSeries<number, string>(name)
        const model = new Model()
        await series.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(series), what).toEqual(expected(model))
        expect(await series.removeRange(-Infinity, Infinity)).toBe(model.entries.length)
        expect(await askOwner(topology, name, 'EXISTS', `redisson__ts_ttl:{${name}}`)).toBe(0)
      }),
      RUNS,
    )
  })
})
