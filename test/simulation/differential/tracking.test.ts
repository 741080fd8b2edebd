import { describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { skipOtherVersions } from './real-version.js'
import { replay } from './replay.js'
import { simulateRequests, type Request as RequestOf } from './simulate-requests.js'

/** The connections, in the order of their ids: one reads keys, one gets the messages, one writes. */
const NAMES = ['reader', 'listener', 'writer'] as const

type Request = RequestOf<(typeof NAMES)[number]>

/** The id of the connection that gets the messages. */
const LISTENER = '2'

const LISTENING: readonly Request[] = [
  ['listener', 'SUBSCRIBE', '__redis__:invalidate'],
  ['reader', 'CLIENT', 'TRACKING', 'ON', 'REDIRECT', LISTENER],
]

const cases: Readonly<Record<string, readonly Request[]>> = {
  'a key that has changed, once': [
    ...LISTENING,
    ['reader', 'EXISTS', 'k'],
    ['writer', 'SET', 'k', 'v'],
    ['writer', 'SET', 'k', 'w'],
    ['reader', 'GET', 'k'],
    ['writer', 'SET', 'k', 'x'],
  ],
  'a key that was not read': [...LISTENING, ['writer', 'SET', 'k', 'v']],
  'several keys': [
    ...LISTENING,
    ['reader', 'MGET', 'a', 'b'],
    ['reader', 'LCS', 'c', 'd'],
    ['writer', 'MSET', 'a', '1', 'b', '2', 'c', '3', 'd', '4'],
  ],
  'a key that the reader changes itself': [
    ...LISTENING,
    ['reader', 'GET', 'k'],
    ['reader', 'SET', 'k', 'v'],
    ['reader', 'GET', 'k'],
    ['writer', 'DEL', 'k'],
  ],
  'commands that change nothing': [
    ...LISTENING,
    ['writer', 'SADD', 's', 'a'],
    ['writer', 'ZADD', 'z', '1', 'a'],
    ['writer', 'SET', 'k', 'v'],
    ['reader', 'EXISTS', 's', 'z', 'k', 'none'],
    ['writer', 'SADD', 's', 'a'],
    ['writer', 'SREM', 's', 'b'],
    ['writer', 'ZADD', 'z', '1', 'a'],
    ['writer', 'ZREM', 'z', 'b'],
    ['writer', 'DEL', 'none'],
    ['writer', 'PERSIST', 'k'],
    ['writer', 'GETEX', 'k', 'PERSIST'],
    ['writer', 'SET', 'k', 'w', 'NX'],
    ['writer', 'HGET', 'k', 'f'],
  ],
  'each kind of change': [
    ['writer', 'SET', 'k', '1'],
    ...LISTENING,
    ...[
      ['INCR', 'k'],
      ['APPEND', 'k', '2'],
      ['PEXPIRE', 'k', '1000000'],
      ['PERSIST', 'k'],
      ['RENAME', 'k', 'l'],
      ['RENAME', 'l', 'k'],
      ['COPY', 'k', 'l'],
      ['COPY', 'l', 'k', 'REPLACE'],
      ['PEXPIREAT', 'k', '1'],
      ['HSET', 'k', 'f', 'v'],
      ['HDEL', 'k', 'f'],
      ['RPUSH', 'k', 'a'],
      ['LPOP', 'k'],
      ['SADD', 'k', 'a'],
      ['SREM', 'k', 'a'],
      ['ZADD', 'k', '1', 'a'],
      ['ZREM', 'k', 'a'],
      ['SET', 'k', 'v', 'PX', '1000000'],
      ['GETEX', 'k', 'PERSIST'],
      ['MOVE', 'k', '1'],
    ].flatMap((words): Request[] => [
      ['reader', 'EXISTS', 'k'],
      ['writer', ...words],
    ]),
  ],
  'a stream, of whose groups nothing is said': [
    ['writer', 'XADD', 'k', '1-1', 'f', 'v'],
    ...LISTENING,
    ...[
      ['XGROUP', 'CREATE', 'k', 'g', '0'],
      ['XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 'k', '>'],
      ['XCLAIM', 'k', 'g', 'd', '0', '1-1'],
      ['XAUTOCLAIM', 'k', 'g', 'c', '0', '0'],
      ['XACK', 'k', 'g', '1-1'],
      ['XGROUP', 'CREATECONSUMER', 'k', 'g', 'e'],
      ['XGROUP', 'SETID', 'k', 'g', '0'],
      ['XGROUP', 'DESTROY', 'k', 'g'],
      ['XDEL', 'k', '5-1'],
      ['XTRIM', 'k', 'MAXLEN', '5'],
      ['XSETID', 'k', '2-1'],
      ['XADD', 'k', '3-1', 'f', 'v'],
      ['XDEL', 'k', '1-1'],
      ['XTRIM', 'k', 'MAXLEN', '0'],
      ['XGROUP', 'CREATE', 'k', 'g', '0', 'MKSTREAM'],
      ['DEL', 'k'],
      ['XGROUP', 'CREATE', 'k', 'g', '0', 'MKSTREAM'],
      ['XADD', 'k', '1-1', 'f', 'v'],
    ].flatMap((words): Request[] => [
      ['reader', 'XLEN', 'k'],
      ['writer', ...words],
    ]),
  ],
  'each command that reads a stream': [
    ['writer', 'XADD', 'k', '1-1', 'f', 'v'],
    ['writer', 'XGROUP', 'CREATE', 'k', 'g', '0'],
    ...LISTENING,
    ...[
      ['XRANGE', 'k', '-', '+'],
      ['XREVRANGE', 'k', '+', '-'],
      ['XREAD', 'COUNT', '1', 'STREAMS', 'l', 'k', '0', '0'],
      ['XPENDING', 'k', 'g'],
      ['XINFO', 'STREAM', 'k'],
      ['XINFO', 'GROUPS', 'k'],
      ['XINFO', 'CONSUMERS', 'k', 'g'],
    ].flatMap((words, n): Request[] => [
      ['reader', ...words],
      ['writer', 'XADD', 'k', `${String(n + 2)}-1`, 'f', 'v'],
    ]),
  ],
  'a database that is emptied': [
    ...LISTENING,
    ['writer', 'FLUSHALL'],
    ['reader', 'GET', 'k'],
    ['writer', 'FLUSHDB'],
    ['writer', 'SET', 'k', 'v'],
    ['reader', 'FLUSHDB'],
  ],
  'a script that reads all of its keys': [
    ...LISTENING,
    ['reader', 'EVAL', "return redis.call('mget', KEYS[1], KEYS[2])", '2', 'a', 'b'],
    ['writer', 'MSET', 'a', '1', 'b', '2', 'c', '3'],
  ],
  'a script that reads one of its keys': [
    ...LISTENING,
    ['reader', 'EVAL', "return redis.call('get', KEYS[1])", '2', 'a', 'b'],
    ['writer', 'MSET', 'a', '1', 'b', '2', 'c', '3'],
  ],
  'a script that only writes': [
    ...LISTENING,
    ['reader', 'EVAL', "return redis.call('set', KEYS[1], 1)", '1', 'a'],
    ['writer', 'SET', 'a', '2'],
  ],
  'a script that changes keys': [
    ...LISTENING,
    ['reader', 'MGET', 'a', 'b'],
    [
      'writer',
      'EVAL',
      "redis.call('set', 'a', 1) redis.call('set', 'b', 1) return redis.call('set', 'a', 2)",
      '0',
    ],
  ],
  'a transaction': [
    ...LISTENING,
    ['reader', 'MULTI'],
    ['reader', 'GET', 'a'],
    ['reader', 'SET', 'a', '1'],
    ['reader', 'GET', 'b'],
    ['reader', 'EXEC'],
    ['writer', 'MSET', 'a', '2', 'b', '2'],
  ],
  'a key of another type': [
    ...LISTENING,
    ['writer', 'SET', 'k', 'v'],
    ['reader', 'HGET', 'k', 'f'],
    ['writer', 'DEL', 'k'],
  ],
  'a key of another database': [
    ...LISTENING,
    ['reader', 'GET', 'k'],
    ['writer', 'SELECT', '1'],
    ['writer', 'SET', 'k', 'v'],
  ],
  'tracking that was turned off': [
    ...LISTENING,
    ['reader', 'GET', 'k'],
    ['reader', 'CLIENT', 'TRACKING', 'off'],
    ['writer', 'SET', 'k', 'v'],
  ],
  'a connection that is not subscribed': [
    ['listener', 'PING'],
    ['reader', 'CLIENT', 'TRACKING', 'on', 'redirect', LISTENER],
    ['reader', 'GET', 'k'],
    ['writer', 'SET', 'k', 'v'],
  ],
  'no other connection': [
    ['reader', 'CLIENT', 'TRACKING', 'ON'],
    ['reader', 'GET', 'k'],
    ['writer', 'SET', 'k', 'v'],
  ],
  'requests that are refused': [
    ['reader', 'CLIENT', 'TRACKING'],
    ['reader', 'CLIENT', 'TRACKING', 'x'],
    ['reader', 'CLIENT', 'TRACKING', 'ON', 'REDIRECT'],
    ['reader', 'CLIENT', 'TRACKING', 'ON', 'REDIRECT', 'x'],
    ['reader', 'CLIENT', 'TRACKING', 'ON', 'REDIRECT', '987654321'],
    ['reader', 'CLIENT', 'TRACKING', 'ON', 'NOSUCH'],
  ],
}

/** Other versions track only the keys that a script has read, and have other messages. */
const OF_ONE_VERSION = ['a script that reads one of its keys', 'requests that are refused']

describe('invalidation messages of the simulated server and of a real one', () => {
  noLeaks(single)

  it.for(Object.entries(cases))('are the same for %s', async ([name, requests], context) => {
    if (OF_ONE_VERSION.includes(name)) skipOtherVersions(context, 'these replies')
    const { steps, streams } = simulateRequests(NAMES, requests)
    const real = await replay(single.nodes[0], steps)
    await single.nodes[0].command('FLUSHALL')
    expect(streams).toEqual(real)
  })
})
