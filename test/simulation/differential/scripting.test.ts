import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import type { Bytes } from '../server/reply.js'
import { Server } from '../server/server.js'
import { RawClient } from './raw-client.js'
import { skipOtherVersions } from './real-version.js'

/** Requests that run scripts. */
const cases: Readonly<Record<string, readonly (readonly Bytes[])[]>> = {
  'a script': [['EVAL', 'return {1, 2.9, "x", true, false, {KEYS[1], ARGV[1]}}', '1', 'k', 'a']],
  'a script by its hash': [
    ['SCRIPT', 'LOAD', 'return 5'],
    ['EVALSHA', '4ca238f611c9d0ae4e9a75a5dbac22aedc1e44df', '0'],
  ],
  'a script that is not known': [
    ['SCRIPT', 'FLUSH'],
    ['EVALSHA', '4ca238f611c9d0ae4e9a75a5dbac22aedc1e44df', '0'],
  ],
  'a script that is no Lua': [['EVAL', 'return +', '0']],
  'too many keys': [['EVAL', 'return 1', '2', 'k']],
  'a number of keys that is none': [
    ['EVAL', 'return 1', 'x'],
    ['EVAL', 'return 1', '-1'],
  ],
  'a value of another type': [
    ['SET', 'k', 'v'],
    ['EVAL', "return redis.call('hget', KEYS[1], 'f')", '1', 'k'],
  ],
  'the same, caught': [
    ['SET', 'k', 'v'],
    ['EVAL', "return redis.pcall('hget', KEYS[1], 'f')", '1', 'k'],
  ],
  'an unknown command': [['EVAL', "return redis.call('nosuch')", '0']],
  'a command with too few words': [['EVAL', "return redis.call('get')", '0']],
  'a command that scripts may not call': [['EVAL', "return redis.call('subscribe', 'x')", '0']],
  'an error of the script': [
    ['EVAL', "return redis.error_reply('MINE is this')", '0'],
    ['EVAL', "error('x')", '0'],
  ],
  'writing where it may only read': [['EVAL_RO', "return redis.call('set', KEYS[1], 1)", '1', 'k']],
  'another database': [
    ['EVAL', "redis.call('select', 3) redis.call('set', KEYS[1], 1) return 1", '1', 'k'],
    ['GET', 'k'],
    ['SELECT', '3'],
    ['GET', 'k'],
    ['SELECT', '0'],
  ],
  'random numbers, which go on from script to script': [
    ['EVAL', 'math.randomseed(7) return math.random(1000)', '0'],
    ['EVAL', 'return math.random(1000)', '0'],
    ['SCRIPT', 'FLUSH'],
    ['EVAL', 'return math.random(1000)', '0'],
  ],
  'a script in a transaction': [
    ['MULTI'],
    ['EVAL', "return redis.call('incr', KEYS[1])", '1', 'n'],
    ['EVALSHA', 'x', '0'],
    ['EXEC'],
  ],
}

describe('scripts at the server of the simulation and at a real one', () => {
  let real: RawClient

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
  })

  afterAll(() => real.close())

  beforeEach((context) => {
    skipOtherVersions(context, 'the messages of errors')
  })

  it.each(Object.entries(cases))('%s', async (_, commands) => {
    const replies = await real.send(commands)
    await real.send([['SELECT', '0'], ['FLUSHALL']])
    const server = new Server({ now: Date.now, draw: () => 0 })
    const session = server.connect({ write: () => undefined, close: () => undefined })
    expect(commands.map((words) => server.execute(session, words))).toEqual(replies)
  })
})
