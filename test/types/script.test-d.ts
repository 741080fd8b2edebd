import { describe, expectTypeOf, it } from 'vitest'
import type { CommandExecutor } from '../../src/command/operation/command-executor.js'
import { boolean, integer, list, text, tuple } from '../../src/command/operation/replies.js'
import { defineScript } from '../../src/command/operation/script.js'

declare const executor: CommandExecutor

const act = defineScript('room/act', {
  lua: '-- act',
  keys: ['lock', '...others'],
  args: ['leaseMs', '...owners'],
  reply: tuple(integer, text),
  repeat: 'idempotent',
})

const count = defineScript('room/count', {
  lua: ['-- fragment', '-- count'],
  keys: ['lock', 'request'],
  args: [],
  reply: list(integer),
  repeat: 'counting',
})

const keys = { lock: 'a', others: ['b', 'c'] }
const args = { leaseMs: 1, owners: ['o'] }

describe('a call of a script', () => {
  it('gives every key and argument by its name, and a list for a name with three dots', () => {
    void executor.run(act, { keys, args })
    void executor.run(act, {
      keys: { lock: 'a', others: [] },
      args: { leaseMs: '1', owners: [Buffer.of(1), 2] },
    })
    void executor.run(count, { keys: { lock: 'a', request: 'r' }, args: {} })
  })

  it('returns what the decoder of the script returns', () => {
    expectTypeOf(executor.run(act, { keys, args })).resolves.toEqualTypeOf<[number, string]>()
    expectTypeOf(executor.run(count, { keys: { lock: 'a', request: 'r' }, args: {} })).resolves.toEqualTypeOf<
      number[]
    >()
    expectTypeOf(
      executor.runSynced(count, { keys: { lock: 'a', request: 'r' }, args: {} }, 1),
    ).resolves.toEqualTypeOf<{
      readonly result: number[]
      readonly replicas: number
      readonly sentAt: number
    }>()
  })

  it('does not compile without a key or an argument', () => {
    // @ts-expect-error: `lock` is missing
    void executor.run(act, { keys: { others: [] }, args })
    // @ts-expect-error: `others` is missing
    void executor.run(act, { keys: { lock: 'a' }, args })
    // @ts-expect-error: `leaseMs` is missing
    void executor.run(act, { keys, args: { owners: [] } })
    // @ts-expect-error: the arguments are missing
    void executor.run(act, { keys })
    // @ts-expect-error: the keys are missing
    void executor.run(count, { args: {} })
  })

  it('does not compile with a misspelt one, or one too many', () => {
    // @ts-expect-error: it is called `lock`
    void executor.run(act, { keys: { locks: 'a', others: [] }, args })
    // @ts-expect-error: it is called `leaseMs`
    void executor.run(act, { keys, args: { lease: 1, owners: [] } })
    // @ts-expect-error: the dots belong to the declaration
    void executor.run(act, { keys: { lock: 'a', '...others': [] }, args })
    // @ts-expect-error: `channel` is not asked for
    void executor.run(count, { keys: { lock: 'a', request: 'r', channel: 'c' }, args: {} })
  })

  it('does not compile with a text for a list, or a list for a text', () => {
    // @ts-expect-error: others are several
    void executor.run(act, { keys: { lock: 'a', others: 'b' }, args })
    // @ts-expect-error: owners are several
    void executor.run(act, { keys, args: { leaseMs: 1, owners: 'o' } })
    // @ts-expect-error: the lock is one
    void executor.run(act, { keys: { lock: ['a'], others: [] }, args })
    // @ts-expect-error: the lease is one
    void executor.run(act, { keys, args: { leaseMs: [1], owners: [] } })
  })

  it('does not compile with what is no argument', () => {
    // @ts-expect-error: a key is a text
    void executor.run(count, { keys: { lock: 7, request: 'r' }, args: {} })
    // @ts-expect-error: nothing is no argument
    void executor.run(act, { keys, args: { leaseMs: undefined, owners: [] } })
    // @ts-expect-error: true is no argument
    void executor.run(act, { keys, args: { leaseMs: true, owners: [] } })
    // @ts-expect-error: null is no owner
    void executor.run(act, { keys, args: { leaseMs: 1, owners: [null] } })
  })
})

describe('a definition of a script', () => {
  it('has to say everything', () => {
    // @ts-expect-error: may it be repeated?
    defineScript('room/act', { lua: '', keys: [], args: [], reply: integer })
    // @ts-expect-error: what does it answer?
    defineScript('room/act', { lua: '', keys: [], args: [], repeat: 'idempotent' })
  })

  it('says what becomes of it when an answer is lost', () => {
    const rest = { lua: '', keys: ['lock'], args: [], reply: integer } as const
    defineScript('room/act', { ...rest, repeat: 'safe' })
    defineScript('room/act', { ...rest, repeat: 'idempotent' })
    defineScript('room/act', { ...rest, reply: boolean, repeat: 'idempotent', unchanged: false })
    defineScript('room/act', { ...rest, repeat: 'counting' })
    // @ts-expect-error: there is no such policy
    defineScript('room/act', { ...rest, repeat: 'never' })
    // @ts-expect-error: any count may be too small after a lost reply, and not only 0
    defineScript('room/act', { ...rest, repeat: 'idempotent', unchanged: 0 })
    // @ts-expect-error: it answers integers
    defineScript('room/act', { ...rest, repeat: 'idempotent', unchanged: false })
  })

  it('keeps the names as they are written', () => {
    expectTypeOf(act.keys).toEqualTypeOf<readonly ('lock' | '...others')[]>()
    expectTypeOf(count.args).toEqualTypeOf<readonly never[]>()
  })
})
