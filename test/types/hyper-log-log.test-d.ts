import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, type RedissonClient, type RHyperLogLog } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a HyperLogLog', () => {
  it('have unknown values by default, and those of a codec', () => {
    expectTypeOf(client.getHyperLogLog('x')).toEqualTypeOf<RHyperLogLog<unknown>>()
    expectTypeOf(client.getHyperLogLog<Date>('x')).toEqualTypeOf<RHyperLogLog<Date>>()
    expectTypeOf(client.getHyperLogLog('x', { codec: longCodec() })).toEqualTypeOf<RHyperLogLog<number>>()
  })

  it('take several values and names as one list', () => {
    const log = client.getHyperLogLog<string>('x')
    void log.addAll(new Set(['a']))
    void log.countWith(['y'])
    // @ts-expect-error: names are one list
    void log.mergeWith('y', 'z')
    // @ts-expect-error: the values of this one are texts
    void log.add(1)
    // @ts-expect-error: a text is no list of names
    void log.mergeWith('abc')
  })
})
