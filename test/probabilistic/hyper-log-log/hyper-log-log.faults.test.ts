import type { RedissonClient } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** The log that is merged into this one. */
const otherOf = (name: string) => `${name}:other`

const logOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getHyperLogLog<string>(name, { exactlyOnce })

type Log = ReturnType<typeof logOf>

/** Small numbers of values are counted without an error. */
const look = (client: RedissonClient, name: string) => logOf(client, name).count()

const having = (values: readonly string[]) => async (client: RedissonClient, name: string) => {
  await client.getKeys().delete(name, otherOf(name))
  await logOf(client, name).addAll(values)
  await logOf(client, otherOf(name)).addAll(['b', 'c'])
}

function calling(
  what: string,
  call: (log: Log) => Promise<unknown>,
  answer: unknown,
  states: CountingCall['states'],
): CountingCall {
  return {
    what,
    prepare: having(['a']),
    call: (client, name, exactlyOnce) => call(logOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

testLostReplies(
  'a HyperLogLog',
  [
    calling('add', (log) => log.add('b'), true, [1, 2]),
    calling('add of a value that was added', (log) => log.add('a'), false, [1, 1]),
    calling('addAll', (log) => log.addAll(['a', 'b', 'c']), true, [1, 3]),
    calling('mergeWith', (log) => log.mergeWith([otherOf(log.name)]), undefined, [1, 3]),
  ],
  look,
)

function overtaken(
  what: string,
  [call, between]: readonly [(log: Log) => Promise<unknown>, (log: Log) => Promise<unknown>],
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: having(['a']),
    call: (client, name, exactlyOnce) => call(logOf(client, name, exactlyOnce)),
    between: (client, name) => between(logOf(client, name)),
    answer,
    rejects,
  }
}

testOvertakenCalls(
  'a HyperLogLog',
  [
    overtaken('add', [(log) => log.add('b'), (log) => log.add('c')], true, true),
    overtaken('addAll', [(log) => log.addAll(['b', 'c']), (log) => log.add('d')], true, true),
    overtaken('mergeWith', [(log) => log.mergeWith([otherOf(log.name)]), (log) => log.add('d')], undefined),
  ],
  look,
)
