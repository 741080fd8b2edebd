import type { RedissonClient } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

const setOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getLexSortedSet(name, { exactlyOnce })

const ALL = ['k', 'l', 'm']

/** A call of a set that has some values before, and others afterwards. */
function calling(
  what: string,
  call: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [readonly string[], readonly string[]],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await setOf(client, name).delete()
      await setOf(client, name).addAll(before)
    },
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (set) => set.add('n'), true, [['k'], ['k', 'n']]),
  calling('addAll', (set) => set.addAll(['n', 'k']), true, [['k'], ['k', 'n']]),
  calling('remove', (set) => set.remove('k'), true, [['k'], []]),
  calling('removeAll', (set) => set.removeAll(['k', 'none']), true, [['k'], []]),
  calling('retainAll', (set) => set.retainAll(['k']), true, [ALL, ['k']]),
  calling('removeRange', (set) => set.removeRange({ from: 'l', to: 'z' }), 2, [ALL, ['k']]),
  calling('removeRangeTail', (set) => set.removeRangeTail({ from: 'l' }), 2, [ALL, ['k']]),
  calling('removeRangeHead', (set) => set.removeRangeHead({ to: 'l' }), 2, [ALL, ['m']]),
  calling('pollFirst', (set) => set.pollFirst(), 'k', [ALL, ['l', 'm']]),
  calling('pollFirst of many', (set) => set.pollFirst(2), ['k', 'l'], [ALL, ['m']]),
  calling('pollFirst that would wait', (set) => set.pollFirst({ waitMs: 60_000 }), 'k', [ALL, ['l', 'm']]),
  calling('pollLast', (set) => set.pollLast(), 'm', [ALL, ['k', 'l']]),
  calling('pollLast of many', (set) => set.pollLast(2), ['l', 'm'], [ALL, ['k']]),
  calling('clear', (set) => set.clear(), undefined, [ALL, []]),
]

const look = (client: RedissonClient, name: string) => setOf(client, name).readAll()

testLostReplies('a lex sorted set', calls, look)

/** A call of a set that has one value, while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  call: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  between: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  answer: unknown,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => setOf(client, name).add('k'),
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    between: (client, name) => between(setOf(client, name)),
    answer,
    rejects: true,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add',
    (set) => set.add('new'),
    (set) => set.add('new'),
    true,
  ),
  overtaken(
    'addAll',
    (set) => set.addAll(['new']),
    (set) => set.addAll(['new']),
    true,
  ),
  overtaken(
    'remove',
    (set) => set.remove('k'),
    (set) => set.add('other'),
    true,
  ),
  overtaken(
    'removeRange',
    (set) => set.removeRange({ from: 'k', to: 'k' }),
    (set) => set.add('other'),
    1,
  ),
  overtaken(
    'removeRange, while another is added',
    (set) => set.removeRange({ from: 'a', to: 'z' }),
    (set) => set.addAll(['m', 'n']),
    1,
  ),
  overtaken(
    'pollFirst',
    (set) => set.pollFirst(),
    (set) => set.add('other'),
    'k',
  ),
]

testOvertakenCalls('a lex sorted set', repeated, look)
