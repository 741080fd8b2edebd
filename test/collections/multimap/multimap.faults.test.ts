import { afterAll, describe } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { single } from '../../support/topologies.js'
import { kinds, sorted, type AnyMultimap, type MultimapKind } from './kinds.js'

/** The keys, and the values of `a` and of `b`. */
type State = readonly [keys: readonly string[], a: readonly unknown[], b: readonly unknown[]]

const NONE: State = [[], [], []]
const A: State = [['a'], ['x'], []]
const AA: State = [['a'], ['x', 'y'], []]
const AB: State = [['a', 'b'], ['x', 'y'], ['x']]

describe.each(kinds)('a multimap with a $what of values', ({ what, of }: MultimapKind) => {
  const isSet = what === 'set'
  const kind = `${what} multimap`

  const look = async (client: RedissonClient, name: string) => {
    const multimap = of(client, name)
    const keys = (await multimap.readAllKeySet()).toSorted()
    return [keys, sorted(await multimap.getAll('a')), sorted(await multimap.getAll('b'))]
  }

  const seen = ([keys, a, b]: State) => [keys, sorted(a), sorted(b)]

  const having =
    ([, a, b]: State) =>
    async (client: RedissonClient, name: string) => {
      const multimap = of(client, name)
      await multimap.delete()
      await multimap.fastReplaceValues('a', a)
      await multimap.fastReplaceValues('b', b)
    }

  const calling = (
    method: string,
    call: (multimap: AnyMultimap) => Promise<unknown>,
    answer: unknown,
    [before, after]: readonly [State, State],
  ): CountingCall => ({
    what: method,
    prepare: having(before),
    call: (client, name, exactlyOnce) => call(of(client, name, { exactlyOnce })),
    answer,
    states: [seen(before), seen(after)],
  })

  const twice: State = isSet ? A : [['a'], ['x', 'x'], []]

  const calls: readonly CountingCall[] = [
    calling('put', (multimap) => multimap.put('a', 'x'), true, [NONE, A]),
    calling('put of a value that is there', (multimap) => multimap.put('a', 'x'), !isSet, [A, twice]),
    calling('putAll', (multimap) => multimap.putAll('a', ['y']), true, [A, AA]),
    calling('remove', (multimap) => multimap.remove('a', 'y'), true, [AA, A]),
    calling('remove of the last value', (multimap) => multimap.remove('a', 'x'), true, [A, NONE]),
    calling('removeAll', (multimap) => multimap.removeAll('b'), ['x'], [AB, AA]),
    calling('replaceValues', (multimap) => multimap.replaceValues('a', ['x', 'y']), ['x'], [A, AA]),
    calling('replaceValues by none', (multimap) => multimap.replaceValues('a', []), ['x'], [A, NONE]),
    calling('fastReplaceValues', (multimap) => multimap.fastReplaceValues('a', ['x', 'y']), undefined, [
      A,
      AA,
    ]),
    calling('fastRemove', (multimap) => multimap.fastRemove('a', 'b', 'c'), 2, [AB, NONE]),
    calling('fastRemoveValue', (multimap) => multimap.fastRemoveValue('x', 'y'), 3, [AB, NONE]),
    calling('delete', (multimap) => multimap.delete(), true, [AB, NONE]),
    calling('clear of the values of a key', (multimap) => multimap.get('b').delete(), true, [AB, AA]),
    calling('retainAll of the values of a key', (multimap) => multimap.get('a').retainAll(['x']), true, [
      AA,
      A,
    ]),
  ]

  /** Those that have `exactlyOnce` always. */
  const always = ['delete', 'clear of the values of a key']
  testLostReplies(
    kind,
    calls.filter((call) => !always.includes(call.what)),
    look,
  )
  testLostReplies(
    `${kind} as a whole`,
    calls.filter((call) => always.includes(call.what)),
    look,
  )

  const overtaken = (
    method: string,
    [call, between]: readonly [
      (multimap: AnyMultimap) => Promise<unknown>,
      (multimap: AnyMultimap) => Promise<unknown>,
    ],
    answer: unknown,
    rejects = true,
  ): RepeatedCall => ({
    what: method,
    prepare: having(A),
    call: (client, name, exactlyOnce) => call(of(client, name, { exactlyOnce })),
    between: (client, name) => between(of(client, name)),
    answer,
    rejects,
  })

  testOvertakenCalls(
    kind,
    [
      overtaken('put', [(m) => m.put('b', 'new'), (m) => m.put('b', 'other')], true),
      overtaken('putAll', [(m) => m.putAll('b', ['new']), (m) => m.put('a', 'other')], true),
      overtaken('remove', [(m) => m.remove('a', 'x'), (m) => m.put('b', 'other')], true),
      overtaken('removeAll', [(m) => m.removeAll('a'), (m) => m.put('a', 'other')], ['x']),
      overtaken('replaceValues', [(m) => m.replaceValues('a', ['n']), (m) => m.put('a', 'o')], ['x']),
      overtaken(
        'fastReplaceValues',
        [(m) => m.fastReplaceValues('a', []), (m) => m.put('a', 'o')],
        undefined,
        false,
      ),
      overtaken('fastRemove', [(m) => m.fastRemove('a'), (m) => m.put('b', 'other')], 1),
      {
        ...overtaken('fastRemove of several', [(m) => m.fastRemove('a', 'b'), (m) => m.put('a', 'o')], 2),
        prepare: having(AB),
      },
      overtaken('fastRemoveValue', [(m) => m.fastRemoveValue('x'), (m) => m.put('b', 'x')], 1),
    ],
    look,
  )

  afterAll(async () => {
    const client = await Redisson.create(single.options())
    for (const start of ['lost', 'overtaken']) {
      await client.getKeys().deleteByPattern(`{${start}-${what}-multimap*`)
      await client.getKeys().deleteByPattern(`${start}-${what}-multimap*`)
    }
    await client.shutdown()
  })
})
