import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RTimeSeries,
  type TimeSeriesEntry,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface Reading {
  readonly degrees: number
}

describe('the types of a time series', () => {
  it('have unknown values and labels by default, and those of a codec', () => {
    expectTypeOf(client.getTimeSeries('x')).toEqualTypeOf<RTimeSeries<unknown>>()
    expectTypeOf(client.getTimeSeries<Reading>('x')).toEqualTypeOf<RTimeSeries<Reading>>()
    expectTypeOf(client.getTimeSeries<Reading, string>('x')).toEqualTypeOf<RTimeSeries<Reading, string>>()
    expectTypeOf(client.getTimeSeries('x', { codec: longCodec() })).toEqualTypeOf<
      RTimeSeries<number, number>
    >()
    expectTypeOf(batch.getTimeSeries<Reading>('x')).toEqualTypeOf<RTimeSeries<Reading>>()
    // @ts-expect-error: the codec writes numbers
    client.getTimeSeries<string>('x', { codec: longCodec() })
  })

  it('tell one entry from many', () => {
    const series = client.getTimeSeries<Reading, string>('x')
    type Entry = TimeSeriesEntry<Reading, string>
    expectTypeOf(series.first()).resolves.toEqualTypeOf<Reading | undefined>()
    expectTypeOf(series.first(3)).resolves.toEqualTypeOf<Reading[]>()
    expectTypeOf(series.pollLast()).resolves.toEqualTypeOf<Reading | undefined>()
    expectTypeOf(series.pollLast(3)).resolves.toEqualTypeOf<Reading[]>()
    expectTypeOf(series.getEntry(1)).resolves.toEqualTypeOf<Entry | undefined>()
    expectTypeOf(series.entryRange(1, new Date(), 3)).resolves.toEqualTypeOf<Entry[]>()
    expectTypeOf(series.entries()).toEqualTypeOf<AsyncIterable<Entry>>()
  })

  it('take timestamps, values and labels', () => {
    const series = client.getTimeSeries<Reading, string>('x')
    void series.add(new Date(), { degrees: 1 }, { label: 'kitchen', ttlMs: 5 })
    void series.addAll(new Map([[1, { degrees: 1 }]]))
    void series.addAll([[new Date(), { degrees: 1 }]])
    void series.addAll([{ timestamp: 1, value: { degrees: 1 }, label: 'kitchen' }], { ttlMs: 5 })
    // @ts-expect-error: a text is no timestamp
    void series.add('2026', { degrees: 1 })
    // @ts-expect-error: a label is one of this series
    void series.add(1, { degrees: 1 }, { label: 7 })
    // @ts-expect-error: a label belongs to an entry
    void series.addAll([[1, { degrees: 1 }]], { label: 'kitchen' })
  })
})
