import type { RedissonClient } from '../../../src/index.js'
import { LARGE, testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'

type State = readonly string[]

const dequeOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getDeque<string>(name, { exactlyOnce })

/** The other deque of a move. */
const otherOf = (name: string) => `{${name}}:other`

const AB: State = ['a', 'b']
const ABAC: State = ['a', 'b', 'a', 'c']

/** A call of a deque, which would add or remove twice, or remove another element, if it ran twice. */
function calling(
  what: string,
  call: (deque: ReturnType<typeof dequeOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
  others: readonly [State, State] = [[], []],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await dequeOf(client, name).addAll(before)
      await dequeOf(client, otherOf(name)).addAll(others[0])
    },
    call: (client, name, exactlyOnce) => call(dequeOf(client, name, exactlyOnce)),
    answer,
    states: [
      [before, others[0]],
      [after, others[1]],
    ],
  }
}

const calls: readonly CountingCall[] = [
  calling('addFirst', (deque) => deque.addFirst('x', 'y'), 4, [AB, ['y', 'x', 'a', 'b']]),
  calling('addLast', (deque) => deque.addLast('x', 'y'), 4, [AB, ['a', 'b', 'x', 'y']]),
  calling('addFirstIfExists', (deque) => deque.addFirstIfExists('x'), 3, [AB, ['x', 'a', 'b']]),
  calling('addLastIfExists', (deque) => deque.addLastIfExists('x'), 3, [AB, ['a', 'b', 'x']]),
  calling('addLastIfExists to none', (deque) => deque.addLastIfExists('x'), 0, [[], []]),
  calling('offerFirst', (deque) => deque.offerFirst('x'), true, [AB, ['x', 'a', 'b']]),
  calling('offerLast', (deque) => deque.offerLast('x'), true, [AB, ['a', 'b', 'x']]),
  calling('push', (deque) => deque.push('x'), undefined, [[], ['x']]),
  calling('pollFirst', (deque) => deque.pollFirst(), 'a', [AB, ['b']]),
  calling('pollFirst of several', (deque) => deque.pollFirst(2), AB, [ABAC, ['a', 'c']]),
  calling('pollLast', (deque) => deque.pollLast(), 'c', [ABAC, ['a', 'b', 'a']]),
  calling('pollLast of a large element', (deque) => deque.pollLast(), LARGE, [['a', LARGE], ['a']]),
  calling('pollLast of several', (deque) => deque.pollLast(3), ['c', 'a', 'b'], [ABAC, ['a']]),
  calling('removeFirst', (deque) => deque.removeFirst(), 'a', [AB, ['b']]),
  calling('removeLast', (deque) => deque.removeLast(), 'b', [AB, ['a']]),
  calling('pop', (deque) => deque.pop(), 'a', [['a'], []]),
  calling('removeFirstOccurrence', (deque) => deque.removeFirstOccurrence('a'), true, [
    ABAC,
    ['b', 'a', 'c'],
  ]),
  calling('removeLastOccurrence', (deque) => deque.removeLastOccurrence('a'), true, [ABAC, ['a', 'b', 'c']]),
  calling(
    'move of the first to the end',
    (deque) => deque.move({ poll: 'first', addLastTo: otherOf(deque.name) }),
    'a',
    [AB, ['b']],
    [['x'], ['x', 'a']],
  ),
  calling(
    'move of the last to the front',
    (deque) => deque.move({ poll: 'last', addFirstTo: otherOf(deque.name) }),
    'b',
    [AB, ['a']],
    [['x'], ['b', 'x']],
  ),
  calling('move to itself', (deque) => deque.move({ poll: 'first', addLastTo: deque.name }), 'a', [
    ABAC,
    ['b', 'a', 'c', 'a'],
  ]),
]

testLostReplies('a deque', calls, async (client, name) => [
  await dequeOf(client, name).readAll(),
  await dequeOf(client, otherOf(name)).readAll(),
])
