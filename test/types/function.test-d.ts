import { describe, expectTypeOf, it } from 'vitest'
import {
  stringCodec,
  type FunctionLibrary,
  type RBatch,
  type RedissonClient,
  type RFunction,
  type ScriptItem,
} from '../../src/index.js'

declare const client: RedissonClient

describe('the types of functions', () => {
  it('follow from what the reply is read as', () => {
    const fn = client.getFunction({ codec: stringCodec() })
    expectTypeOf(fn).toEqualTypeOf<RFunction<string>>()
    expectTypeOf(fn.call('READ_ONLY', 'f', 'BOOLEAN')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(fn.call('READ_WRITE', 'f', 'INTEGER', ['a'], 'b')).resolves.toEqualTypeOf<number>()
    expectTypeOf(fn.call('READ_WRITE', 'f', 'STATUS')).resolves.toEqualTypeOf<string>()
    expectTypeOf(fn.call('READ_WRITE', 'f', 'VALUE')).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(fn.call('READ_WRITE', 'f', 'MULTI')).resolves.toEqualTypeOf<readonly ScriptItem<string>[]>()
    expectTypeOf(client.getFunction().call('READ_WRITE', 'f', 'VALUE')).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(fn.list()).resolves.toEqualTypeOf<FunctionLibrary[]>()
    expectTypeOf(fn.dump()).resolves.toEqualTypeOf<Uint8Array>()
  })

  it('do not compile with what is wrong', () => {
    const fn = client.getFunction<number>()
    // @ts-expect-error: there is no such mode
    void fn.call('WRITE', 'f', 'VALUE')
    // @ts-expect-error: there is no such result
    void fn.call('READ_WRITE', 'f', 'LONG')
    // @ts-expect-error: keys are a list
    void fn.call('READ_WRITE', 'f', 'VALUE', 'a')
    // @ts-expect-error: values are numbers
    void fn.call('READ_WRITE', 'f', 'VALUE', [], 'a')
    // @ts-expect-error: a function cannot be called exactly once
    client.getFunction({ exactlyOnce: true })
    // @ts-expect-error: a dump is bytes
    void fn.restore('text')
    expectTypeOf<RBatch>().not.toHaveProperty('getFunction')
  })
})
