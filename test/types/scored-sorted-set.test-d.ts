import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, type RankedEntry, type RedissonClient, type RScoredSortedSet } from '../../src/index.js'

declare const client: RedissonClient

interface Job {
  readonly id: number
}

describe('the types of a scored sorted set', () => {
  it('have unknown values by default, and those of a codec', () => {
    expectTypeOf(client.getScoredSortedSet('x')).toEqualTypeOf<RScoredSortedSet<unknown>>()
    expectTypeOf(client.getScoredSortedSet<Job>('x')).toEqualTypeOf<RScoredSortedSet<Job>>()
    expectTypeOf(client.getScoredSortedSet('x', { codec: longCodec() })).toEqualTypeOf<
      RScoredSortedSet<number>
    >()
  })

  it('tell one value from many', () => {
    const set = client.getScoredSortedSet<Job>('x')
    expectTypeOf(set.pollFirst()).resolves.toEqualTypeOf<Job | undefined>()
    expectTypeOf(set.pollFirst({ waitMs: 1 })).resolves.toEqualTypeOf<Job | undefined>()
    expectTypeOf(set.pollFirst(2, { waitMs: 1 })).resolves.toEqualTypeOf<Job[]>()
    expectTypeOf(set.pollFirstFromAny(['y'])).resolves.toEqualTypeOf<Job | undefined>()
    expectTypeOf(set.pollLastFromAny(['y'], 2, { waitMs: 1 })).resolves.toEqualTypeOf<Job[]>()
    expectTypeOf(set.pollFirstEntriesFromAny(['y'], 2)).resolves.toEqualTypeOf<Map<string, [Job, number][]>>()
    expectTypeOf(set.takeFirst()).resolves.toEqualTypeOf<Job>()
    expectTypeOf(set.random()).resolves.toEqualTypeOf<Job | undefined>()
    expectTypeOf(set.random(2)).resolves.toEqualTypeOf<Job[]>()
    expectTypeOf(set.firstEntry()).resolves.toEqualTypeOf<[Job, number] | undefined>()
    expectTypeOf(set.rankEntry({ id: 1 })).resolves.toEqualTypeOf<RankedEntry | undefined>()
    // @ts-expect-error: a take waits without an end of its own
    void set.takeFirst({ waitMs: 1 })
  })

  it('take ranges of ranks or of scores, and scores that are numbers', () => {
    const set = client.getScoredSortedSet<string>('x')
    void set.valueRange(0, -1)
    void set.valueRange({ min: 1, maxInclusive: false, count: 3 })
    void set.addAll({ a: 1 })
    void set.union(new Map([['a', 2]]), { aggregate: 'MAX' })
    // @ts-expect-error: two ranks
    void set.valueRange(0)
    // @ts-expect-error: a count is one of a range that is read
    void set.count({ count: 3 })
    // @ts-expect-error: the score comes first
    void set.add('a', 1)
    // @ts-expect-error: an object has texts as values
    void client.getScoredSortedSet<Job>('x').addAll({ a: 1 })
    // @ts-expect-error: a text is no list of names
    void set.union('abc')
  })
})
