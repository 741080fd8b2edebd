import { describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import type { Bytes } from '../server/reply.js'
import { skipOtherVersions } from './real-version.js'
import { replay } from './replay.js'
import { simulateRequests, type Request as RequestOf } from './simulate-requests.js'

const NAMES = ['writer', 'listener'] as const

type Request = RequestOf<(typeof NAMES)[number]>

/** Adds more entries than a few nodes have. */
const MANY = "for n = 1, 250 do redis.call('xadd', KEYS[1], n .. '-1', 'f', n) end"

/** How many entries and nodes there are. How many nodes the tree of Redis has depends on their ids. */
const SIZE =
  "local facts = redis.call('xinfo', 'stream', KEYS[1]) return {facts[2], facts[4], facts[8], facts[10], facts[12], facts[14]}"

/** The same after each of these commands. */
function sizesAfter(...commands: readonly (readonly Bytes[])[]): readonly Request[] {
  const all = commands.flatMap((words): Request[] => [
    ['writer', ...words],
    ['writer', 'EVAL', SIZE, '1', 'k'],
  ])
  return [['writer', 'EVAL', MANY, '1', 'k'], ...all]
}

/** Commands each of which a transaction and a script run as well. */
const COMMANDS: readonly (readonly Bytes[])[] = [
  ['XADD', 'k', '1-1', 'f', 'v', 'g', 'w'],
  ['XADD', 'k', '1-1', 'f', 'v'],
  ['XADD', 'k', '2-*', 'f', 'v'],
  ['XGROUP', 'CREATE', 'k', 'g', '0'],
  ['XREADGROUP', 'GROUP', 'g', 'one', 'STREAMS', 'k', '>'],
  ['XCLAIM', 'k', 'g', 'two', '0', '1-1', 'JUSTID'],
  ['XDEL', 'k', '2-0'],
  ['XREADGROUP', 'GROUP', 'g', 'one', 'STREAMS', 'k', '0'],
  ['XAUTOCLAIM', 'k', 'g', 'two', '0', '0'],
  ['XPENDING', 'k', 'g'],
  ['XACK', 'k', 'g', '1-1', '2-0'],
  ['XINFO', 'GROUPS', 'k'],
  ['XINFO', 'STREAM', 'k'],
  ['XGROUP', 'DELCONSUMER', 'k', 'g', 'two'],
  ['XREAD', 'STREAMS', 'k', 'l', '0', '0'],
  ['XGROUP', 'DESTROY', 'k', 'g'],
  ['XTRIM', 'k', 'MAXLEN', '0'],
  ['TYPE', 'k'],
  ['XLEN', 'k'],
  ['LPUSH', 'k', 'v'],
]

const fromWriter = (words: readonly Bytes[]): Request => ['writer', ...words]

const cases: Readonly<Record<string, readonly Request[]>> = {
  'nodes that are removed as a whole': sizesAfter(
    ['XTRIM', 'k', 'MAXLEN', '~', '240'],
    ['XTRIM', 'k', 'MAXLEN', '~', '151', 'LIMIT', '1000'],
    ['XTRIM', 'k', 'MAXLEN', '~', '150', 'LIMIT', '99'],
    ['XTRIM', 'k', 'MAXLEN', '~', '150', 'LIMIT', '100'],
    ['XTRIM', 'k', 'MINID', '~', '200-1'],
    ['XTRIM', 'k', 'MINID', '~', '200-2'],
    ['XADD', 'k', 'MAXLEN', '~', '1', '300-1', 'f', 'v'],
    ['XADD', 'k', 'MINID', '~', '300-2', '300-*', 'f', 'v'],
  ),
  'entries that are removed one by one': sizesAfter(
    ['XTRIM', 'k', 'MAXLEN', '190'],
    ['XTRIM', 'k', 'MAXLEN', '=', '160'],
    ['XTRIM', 'k', 'MINID', '151'],
    ['XDEL', 'k', '150-1', '151-1', '152-1', '250-1'],
    ['XTRIM', 'k', 'MINID', '~', '201-1'],
    ['XADD', 'k', '300-1', 'f', 'v'],
    ['XTRIM', 'k', 'MINID', '~', '300-2'],
    ['XADD', 'k', 'MAXLEN', '=', '0', '300-2', 'f', 'v'],
  ),
  'an entry that is removed at the end of a node': sizesAfter(
    ['XDEL', 'k', '100-1'],
    ['XTRIM', 'k', 'MINID', '~', '100'],
    ['XTRIM', 'k', 'MINID', '100'],
    ['XTRIM', 'k', 'MINID', '~', '101'],
    ['XTRIM', 'k', 'MAXLEN', '0'],
  ),
  'many small additions to a node': sizesAfter(
    ['XTRIM', 'k', 'MAXLEN', '10'],
    ['EVAL', "for n = 1, 60 do redis.call('xadd', KEYS[1], '300-' .. n, 'f', n) end", '1', 'k'],
    ['XTRIM', 'k', 'MAXLEN', '~', '20'],
  ),
  'commands of a transaction': [['writer', 'MULTI'], ...COMMANDS.map(fromWriter), ['writer', 'EXEC']],
  'commands of scripts': COMMANDS.map((words): Request => {
    const call = 'return redis.pcall(unpack(ARGV))'
    return ['writer', 'EVAL', call, '0', ...words]
  }),
  'notifications of keys': [
    ['writer', 'CONFIG', 'SET', 'notify-keyspace-events', 'Kt'],
    ['listener', 'SUBSCRIBE', '__keyspace@0__:k'],
    ...COMMANDS.map(fromWriter),
    ...[
      ['XADD', 'k', 'MAXLEN', '1', '3-1', 'f', 'v'],
      ['XADD', 'k', 'MAXLEN', '1', '3-2', 'f', 'v'],
      ['XGROUP', 'CREATE', 'k', 'g', '0'],
      ['XGROUP', 'CREATECONSUMER', 'k', 'g', 'one'],
      ['XGROUP', 'CREATECONSUMER', 'k', 'g', 'one'],
      ['XGROUP', 'SETID', 'k', 'g', '0'],
      ['XCLAIM', 'k', 'g', 'three', '0', '3-2', 'FORCE'],
      ['XAUTOCLAIM', 'k', 'g', 'four', '0', '0'],
      ['XSETID', 'k', '5-1'],
      ['XTRIM', 'k', 'MAXLEN', '5'],
      ['XDEL', 'k', '9-9'],
    ].map(fromWriter),
    ['writer', 'CONFIG', 'SET', 'notify-keyspace-events', ''],
  ],
}

describe('streams of the simulated server and of a real one', () => {
  noLeaks(single)

  it.for(Object.entries(cases))('are the same for %s', async ([_, requests], context) => {
    skipOtherVersions(context, 'what streams say of themselves')
    const { steps, streams } = simulateRequests(NAMES, requests)
    const real = await replay(single.nodes[0], steps)
    await single.nodes[0].command('FLUSHALL')
    expect(streams).toEqual(real)
  })
})
