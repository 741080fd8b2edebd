import { describe, expectTypeOf, it } from 'vitest'
import { defineCommand } from '../../src/command/operation/command.js'
import type { CommandExecutor } from '../../src/command/operation/command-executor.js'
import { boolean, bytes, int64, nullable, pairs, text } from '../../src/command/operation/replies.js'

declare const executor: CommandExecutor

const hget = defineCommand('HGET', {
  keys: ['map'],
  args: ['field'],
  reply: nullable(bytes),
  repeat: 'safe',
})

const setFor = defineCommand('SET', {
  keys: ['bucket'],
  args: ['value', 'PX', 'ttlMs', 'NX'],
  reply: boolean,
  repeat: 'counting',
})

const union = defineCommand('ZUNIONSTORE', {
  keys: ['target', 'NUMKEYS', '...sets'],
  args: ['WEIGHTS', '...weights'],
  reply: int64,
  repeat: 'idempotent',
})

describe('a call of a command', () => {
  it('gives every key and argument by its name, and a list for a name with three dots', () => {
    void executor.run(hget, { keys: { map: 'm' }, args: { field: Buffer.of(0xff) } })
    void executor.run(setFor, { keys: { bucket: 'b' }, args: { value: 'v', ttlMs: 5 } })
    void executor.run(union, { keys: { target: 't', sets: ['a', 'b'] }, args: { weights: [1, 2] } })
  })

  it('returns what the command’s decoder returns', () => {
    expectTypeOf(executor.run(hget, { keys: { map: 'm' }, args: { field: 'f' } })).resolves.toEqualTypeOf<
      Buffer | undefined
    >()
    expectTypeOf(pairs(text, int64)).returns.toEqualTypeOf<[string, bigint][]>()
  })

  it('does not compile without a key or an argument, or with one too many', () => {
    // @ts-expect-error: `map` is missing
    void executor.run(hget, { keys: {}, args: { field: 'f' } })
    // @ts-expect-error: `field` is missing
    void executor.run(hget, { keys: { map: 'm' }, args: {} })
    // @ts-expect-error: it is called `field`
    void executor.run(hget, { keys: { map: 'm' }, args: { fields: 'f' } })
    // @ts-expect-error: a word in capitals takes no value
    void executor.run(setFor, { keys: { bucket: 'b' }, args: { value: 'v', ttlMs: 5, NX: 1 } })
    // @ts-expect-error: sets are several
    void executor.run(union, { keys: { target: 't', sets: 'a' }, args: { weights: [] } })
    // @ts-expect-error: a value is a text, a number or bytes
    void executor.run(hget, { keys: { map: 'm' }, args: { field: undefined } })
  })
})

describe('a definition of a command', () => {
  it('says whether it may be repeated, and how its reply is read', () => {
    // @ts-expect-error: may it be repeated?
    defineCommand('GET', { keys: ['bucket'], args: [], reply: bytes })
    // @ts-expect-error: what does it return?
    defineCommand('GET', { keys: ['bucket'], args: [], repeat: 'safe' })
  })
})
