import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** What a buffer has: its capacity, then its elements. */
type State = readonly [capacity: number, ...elements: readonly string[]]

const bufferOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getRingBuffer<string>(name, { exactlyOnce })

type Buffer = ReturnType<typeof bufferOf>

async function prepare(client: RedissonClient, name: string, [capacity, ...elements]: State): Promise<void> {
  const buffer = bufferOf(client, name)
  await buffer.delete()
  if (capacity > 0) await buffer.setCapacity(capacity)
  await buffer.addAll(elements)
}

async function look(client: RedissonClient, name: string): Promise<State> {
  const buffer = bufferOf(client, name)
  return [await buffer.capacity(), ...(await buffer.readAll())]
}

/** A call of a buffer, which would lose one element more if it ran twice. */
function calling(
  what: string,
  call: (buffer: Buffer) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: (client, name) => prepare(client, name, states[0]),
    call: (client, name, exactlyOnce) => call(bufferOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const ABC: State = [3, 'a', 'b', 'c']

const calls: readonly CountingCall[] = [
  calling('add', (buffer) => buffer.add('x'), true, [ABC, [3, 'b', 'c', 'x']]),
  calling('add to none', (buffer) => buffer.add('x'), true, [[3], [3, 'x']]),
  calling('add of a large value', (buffer) => buffer.add(LARGE), true, [ABC, [3, 'b', 'c', LARGE]]),
  calling('offer', (buffer) => buffer.offer('x'), true, [ABC, [3, 'b', 'c', 'x']]),
  calling('addAll', (buffer) => buffer.addAll(['x', 'y']), true, [ABC, [3, 'c', 'x', 'y']]),
  calling('setCapacity', (buffer) => buffer.setCapacity(2), undefined, [ABC, [2, 'b', 'c']]),
  calling('trySetCapacity', (buffer) => buffer.trySetCapacity(2), true, [[0], [2]]),
  calling('poll', (buffer) => buffer.poll(), 'a', [ABC, [3, 'b', 'c']]),
  calling('poll of several', (buffer) => buffer.poll(2), ['a', 'b'], [ABC, [3, 'c']]),
  calling('clear', (buffer) => buffer.clear(), undefined, [ABC, [3]]),
  calling('retainAll of nothing', (buffer) => buffer.retainAll([]), true, [ABC, [3]]),
  calling('delete', (buffer) => buffer.delete(), true, [ABC, [0]]),
]

testLostReplies('a ring buffer', calls, look)

/** A call while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  before: State,
  call: (buffer: Buffer) => Promise<unknown>,
  between: (buffer: Buffer) => Promise<unknown>,
  answer: unknown,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => prepare(client, name, before),
    call: (client, name, exactlyOnce) => call(bufferOf(client, name, exactlyOnce)),
    between: (client, name) => between(bufferOf(client, name)),
    answer,
    rejects: true,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add, of what another polls',
    [3],
    (buffer) => buffer.add('x'),
    (buffer) => buffer.poll(),
    true,
  ),
  overtaken(
    'trySetCapacity, of what another changes',
    [0],
    (buffer) => buffer.trySetCapacity(2),
    (buffer) => buffer.setCapacity(5),
    true,
  ),
]

testOvertakenCalls('a ring buffer', repeated, look)
