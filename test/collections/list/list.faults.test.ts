import type { RedissonClient } from '../../../src/index.js'
import { LARGE, testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'

type State = readonly string[]

const listOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getList<string>(name, { exactlyOnce })

/** A call of a list, which would add or remove twice, or change another element, if it ran twice. */
function calling(
  what: string,
  call: (list: ReturnType<typeof listOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: (client, name) => listOf(client, name).addAll(before),
    call: (client, name, exactlyOnce) => call(listOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const AB: State = ['a', 'b']
const AAA: State = ['a', 'b', 'a', 'a']

const calls: readonly CountingCall[] = [
  calling('add', (list) => list.add('x'), true, [AB, ['a', 'b', 'x']]),
  calling('add to none', (list) => list.add('x'), true, [[], ['x']]),
  calling('add at the front', (list) => list.add(0, 'x'), undefined, [AB, ['x', 'a', 'b']]),
  calling('add at an index', (list) => list.add(1, 'x'), undefined, [AB, ['a', 'x', 'b']]),
  calling('addAll', (list) => list.addAll(['x', 'y']), true, [AB, ['a', 'b', 'x', 'y']]),
  calling('addAll at the front', (list) => list.addAll(0, ['x', 'y']), true, [AB, ['x', 'y', 'a', 'b']]),
  calling('addAll at an index', (list) => list.addAll(1, ['x', 'y']), true, [AB, ['a', 'x', 'y', 'b']]),
  calling('addAfter', (list) => list.addAfter('a', 'x'), 3, [AB, ['a', 'x', 'b']]),
  calling('addBefore', (list) => list.addBefore('a', 'x'), 3, [AB, ['x', 'a', 'b']]),
  calling('set', (list) => list.set(1, 'x'), 'b', [AB, ['a', 'x']]),
  calling('fastSet', (list) => list.fastSet(1, 'x'), undefined, [AB, ['a', 'x']]),
  calling('remove', (list) => list.remove('a'), true, [AAA, ['b', 'a', 'a']]),
  calling('remove of several', (list) => list.remove('a', -2), true, [AAA, ['a', 'b']]),
  calling('removeAt the front', (list) => list.removeAt(0), 'a', [AB, ['b']]),
  calling('removeAt an index', (list) => list.removeAt(1), 'b', [AAA, ['a', 'a', 'a']]),
  calling('removeAt the end', (list) => list.removeAt(-1), 'b', [AB, ['a']]),
  calling('removeAt of a large element', (list) => list.removeAt(1), LARGE, [['a', LARGE, 'b'], AB]),
  calling('fastRemove', (list) => list.fastRemove(1), true, [AAA, ['a', 'a', 'a']]),
  calling('removeAll', (list) => list.removeAll(['a', 'x']), true, [AAA, ['b']]),
  calling('retainAll', (list) => list.retainAll(['a', 'x']), true, [AAA, ['a', 'a', 'a']]),
  calling('trim', (list) => list.trim(1, -1), undefined, [AAA, ['b', 'a', 'a']]),
]

testLostReplies('a list', calls, (client, name) => listOf(client, name).readAll())
