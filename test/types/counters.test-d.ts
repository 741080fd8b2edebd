import { describe, expectTypeOf, it } from 'vitest'
import type {
  RAtomicDouble,
  RAtomicLong,
  RBatch,
  RDoubleAdder,
  RedissonClient,
  RIdGenerator,
  RLongAdder,
} from '../../src/index.js'

declare const client: RedissonClient

describe('the types of counters', () => {
  it('are those of the integers that the program asks for', () => {
    expectTypeOf(client.getAtomicLong('a')).toEqualTypeOf<RAtomicLong>()
    expectTypeOf(client.getAtomicLong('a', { exactlyOnce: true })).toEqualTypeOf<RAtomicLong>()
    expectTypeOf(client.getAtomicLong('a', { bigint: false }).get()).resolves.toEqualTypeOf<number>()
    expectTypeOf(client.getAtomicLong('a', { bigint: true }).get()).resolves.toEqualTypeOf<bigint>()
    expectTypeOf(client.getAtomicDouble('a')).toEqualTypeOf<RAtomicDouble>()
    expectTypeOf(client.getIdGenerator('a')).toEqualTypeOf<RIdGenerator>()
    expectTypeOf(client.getIdGenerator('a', { bigint: false }).nextId()).resolves.toEqualTypeOf<number>()
    expectTypeOf(client.getIdGenerator('a', { bigint: true }).nextId()).resolves.toEqualTypeOf<bigint>()
    expectTypeOf(client.getSnowflake('a').nextId()).resolves.toEqualTypeOf<bigint>()
    expectTypeOf(client.getSnowflake('a').nextIds(2)).resolves.toEqualTypeOf<bigint[]>()
    expectTypeOf(client.getLongAdder('a')).toEqualTypeOf<RLongAdder>()
    expectTypeOf(client.getLongAdder('a', { bigint: false }).sum()).resolves.toEqualTypeOf<number>()
    expectTypeOf(
      client.getLongAdder('a', { bigint: true }).sum({ waitMs: 1 }),
    ).resolves.toEqualTypeOf<bigint>()
    expectTypeOf(client.getDoubleAdder('a')).toEqualTypeOf<RDoubleAdder>()
    expectTypeOf(client.getDoubleAdder('a').sum()).resolves.toEqualTypeOf<number>()
  })

  it('have no adders in a batch', () => {
    expectTypeOf<RBatch>().not.toHaveProperty('getLongAdder')
    expectTypeOf<RBatch>().not.toHaveProperty('getDoubleAdder')
  })

  it('take no other integers', () => {
    // @ts-expect-error: it counts with numbers
    void client.getAtomicLong('a').addAndGet(1n)
    // @ts-expect-error: it counts with bigints
    void client.getAtomicLong('a', { bigint: true }).addAndGet(1)
    // @ts-expect-error: its ids are numbers
    void client.getIdGenerator('a').tryInit(1n, 1n)
    // @ts-expect-error: its ids are bigints
    void client.getIdGenerator('a', { bigint: true }).tryInit(1, 1)
    // @ts-expect-error: fractions are numbers
    void client.getAtomicDouble('a', { bigint: true })
    // @ts-expect-error: it adds numbers
    client.getLongAdder('a').add(1n)
    // @ts-expect-error: it adds bigints
    client.getLongAdder('a', { bigint: true }).add(1)
    // @ts-expect-error: fractions are numbers
    client.getDoubleAdder('a', { bigint: true })
    // @ts-expect-error: there is no such comparison
    void client.getAtomicLong('a').compareAndDelete('=', 1)
  })
})
