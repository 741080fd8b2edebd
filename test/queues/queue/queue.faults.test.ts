import type { RedissonClient } from '../../../src/index.js'
import { LARGE, testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'

type State = readonly string[]

const queueOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getQueue<string>(name, { exactlyOnce })

/** The other queue of a move. */
const otherOf = (name: string) => `{${name}}:other`

const AB: State = ['a', 'b']
const ABAC: State = ['a', 'b', 'a', 'c']

/** A call of a queue, which would add or remove twice, or remove another element, if it ran twice. */
function calling(
  what: string,
  call: (queue: ReturnType<typeof queueOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
  others: readonly [State, State] = [[], []],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await queueOf(client, name).addAll(before)
      await queueOf(client, otherOf(name)).addAll(others[0])
    },
    call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
    answer,
    states: [
      [before, others[0]],
      [after, others[1]],
    ],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (queue) => queue.add('x'), true, [AB, ['a', 'b', 'x']]),
  calling('addAll', (queue) => queue.addAll(['x', 'y']), true, [AB, ['a', 'b', 'x', 'y']]),
  calling('offer', (queue) => queue.offer('x'), true, [[], ['x']]),
  calling('poll', (queue) => queue.poll(), 'a', [AB, ['b']]),
  calling('poll of the last element', (queue) => queue.poll(), 'a', [['a'], []]),
  calling('poll of a large element', (queue) => queue.poll(), LARGE, [[LARGE, 'b'], ['b']]),
  calling('poll of several', (queue) => queue.poll(2), AB, [ABAC, ['a', 'c']]),
  calling('poll of more than there are', (queue) => queue.poll(9), AB, [AB, []]),
  calling('remove', (queue) => queue.remove(), 'a', [AB, ['b']]),
  calling('remove of a value', (queue) => queue.remove('a'), true, [ABAC, ['b', 'a', 'c']]),
  calling('removeAll', (queue) => queue.removeAll(['a', 'x']), true, [ABAC, ['b', 'c']]),
  calling('retainAll', (queue) => queue.retainAll(['a', 'x']), true, [ABAC, ['a', 'a']]),
  calling(
    'pollLastAndOfferFirstTo',
    (queue) => queue.pollLastAndOfferFirstTo(otherOf(queue.name)),
    'b',
    [AB, ['a']],
    [['x'], ['b', 'x']],
  ),
  calling('pollLastAndOfferFirstTo itself', (queue) => queue.pollLastAndOfferFirstTo(queue.name), 'c', [
    ABAC,
    ['c', 'a', 'b', 'a'],
  ]),
  calling(
    'move',
    (queue) => queue.move({ to: otherOf(queue.name), count: 3 }),
    ['a', 'b', 'a'],
    [ABAC, ['c']],
    [['x'], ['x', 'a', 'b', 'a']],
  ),
  calling('move to itself', (queue) => queue.move({ to: queue.name, count: 2 }), AB, [
    ABAC,
    ['a', 'c', 'a', 'b'],
  ]),
]

testLostReplies('a queue', calls, async (client, name) => [
  await queueOf(client, name).readAll(),
  await queueOf(client, otherOf(name)).readAll(),
])
