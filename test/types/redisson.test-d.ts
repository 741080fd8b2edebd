import { describe, expectTypeOf, it } from 'vitest'
import { Redisson, type RedissonClient, type RedissonOptions } from '../../src/index.js'

describe('Redisson', () => {
  it('is the type of a client as well', () => {
    expectTypeOf<Redisson>().toEqualTypeOf<RedissonClient>()
    expectTypeOf(Redisson.create('redis://localhost')).resolves.toEqualTypeOf<Redisson>()
    expectTypeOf(Redisson.loadOptions('redisson.yaml')).resolves.toEqualTypeOf<RedissonOptions>()
  })
})
