import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { type Bytes, type Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { Comparison } from './comparison.js'
import { RawClient } from './raw-client.js'
import { realVersion } from './real-version.js'
import { commandsOfVersion, isValkey8 } from './version-differences.js'

type Words = readonly Bytes[]

/** How to make a key of each type. */
const TYPES: Readonly<Record<string, Words>> = {
  string: ['SET', 'k', '5'],
  hash: ['HSET', 'k', 'f', '5'],
  list: ['RPUSH', 'k', '5'],
  set: ['SADD', 'k', '5'],
  zset: ['ZADD', 'k', '5', 'm'],
  stream: ['XADD', 'k', '1-1', 'f', '5'],
}

/** Commands that look at the key `k`, or change it. `other` is a string without a deadline. */
const COMMANDS = commandsOfVersion([
  ['GET', 'k'],
  ['GETDEL', 'k'],
  ['GETEX', 'k', 'PERSIST'],
  ['GETEX', 'k'],
  ['GETSET', 'k', 'new'],
  ['MGET', 'k', 'other'],
  ['STRLEN', 'k'],
  ['SET', 'k', 'new'],
  ['SET', 'k', 'new', 'NX'],
  ['SET', 'k', 'new', 'XX'],
  ['SET', 'k', 'new', 'GET'],
  ['SET', 'k', 'new', 'KEEPTTL'],
  ['SETNX', 'k', 'new'],
  ['MSET', 'k', 'new'],
  ['APPEND', 'k', '0'],
  ['INCR', 'k'],
  ['INCRBYFLOAT', 'k', '0.5'],
  ['LCS', 'k', 'other'],
  ['HGET', 'k', 'f'],
  ['HGETALL', 'k'],
  ['HSET', 'k', 'g', '1'],
  ['HSETNX', 'k', 'f', '1'],
  ['HINCRBY', 'k', 'f', '1'],
  ['HDEL', 'k', 'f'],
  ['HLEN', 'k'],
  ['HSCAN', 'k', '0'],
  ['LRANGE', 'k', '0', '-1'],
  ['RPUSH', 'k', 'a'],
  ['LPOP', 'k'],
  ['LREM', 'k', '0', '5'],
  ['LPOS', 'k', '5'],
  ['SMEMBERS', 'k'],
  ['SADD', 'k', '5'],
  ['SREM', 'k', '5'],
  ['SCARD', 'k'],
  ['ZSCORE', 'k', 'm'],
  ['ZADD', 'k', '6', 'm'],
  ['ZADD', 'k', 'XX', '6', 'm'],
  ['ZADD', 'k', 'INCR', '1', 'm'],
  ['ZRANGE', 'k', '0', '-1'],
  ['ZREM', 'k', 'm'],
  ['ZREMRANGEBYSCORE', 'k', '-inf', '+inf'],
  ['XADD', 'k', '2-1', 'f', '6'],
  ['XADD', 'k', 'NOMKSTREAM', '2-1', 'f', '6'],
  ['XLEN', 'k'],
  ['XRANGE', 'k', '-', '+'],
  ['XREAD', 'STREAMS', 'k', '0'],
  ['XDEL', 'k', '1-1'],
  ['XTRIM', 'k', 'MAXLEN', '0'],
  ['XGROUP', 'CREATE', 'k', 'g', '0'],
  ['XGROUP', 'CREATE', 'k', 'g', '0', 'MKSTREAM'],
  ['XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 'k', '>'],
  ['XACK', 'k', 'g', '1-1'],
  ['XPENDING', 'k', 'g'],
  ['XINFO', 'STREAM', 'k'],
  ['EXISTS', 'k', 'k', 'other'],
  ['TOUCH', 'k', 'other'],
  ['TYPE', 'k'],
  ['TTL', 'k'],
  ['PTTL', 'k'],
  ['PERSIST', 'k'],
  ['EXPIRE', 'k', '1000000'],
  ['PEXPIRE', 'k', '1000000', 'NX'],
  ['PEXPIRE', 'k', '1000000', 'XX'],
  ['PEXPIRE', 'k', '1000000', 'GT'],
  ['PEXPIRE', 'k', '1000000', 'LT'],
  ['PEXPIRE', 'k', '0'],
  ['PEXPIREAT', 'k', '1'],
  ['DEL', 'k', 'other'],
  ['UNLINK', 'k', 'other'],
  ['RENAME', 'k', 'other'],
  ['RENAME', 'other', 'k'],
  ['RENAME', 'k', 'fresh'],
  ['RENAMENX', 'k', 'fresh'],
  ['RENAMENX', 'other', 'k'],
  ['COPY', 'k', 'fresh'],
  ['COPY', 'other', 'k'],
  ['COPY', 'other', 'k', 'REPLACE'],
  ['MOVE', 'k', '1'],
  ['OBJECT', 'IDLETIME', 'k'],
  ['KEYS', '*'],
  ['SCAN', '0'],
  ['SCAN', '0', 'TYPE', 'hash'],
  ['DBSIZE'],
  ['SWAPDB', '0', '1'],
])

/** What is there after a command: which keys, what they hold in part, and whether they have a deadline. */
const AFTERWARDS: readonly Words[] = [
  ['DBSIZE'],
  ['EXISTS', 'k', 'other', 'fresh'],
  ['TYPE', 'k'],
  ['TTL', 'k'],
  ['TTL', 'other'],
  ['TTL', 'fresh'],
  ['GET', 'k'],
  ['HGETALL', 'k'],
  ['DBSIZE'],
]

/** Deadlines that are certain: no test runs for so long. */
const FAR: Words = ['PEXPIREAT', 'k', '4000000000000']
const PAST: Words = ['PEXPIREAT', 'k', '1']

const types = Object.entries(TYPES)

describe('keys with a deadline, at the simulated server and at a real one', () => {
  let real: RawClient
  const comparison = new Comparison()

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
  })

  beforeEach(() => real.command('FLUSHALL'))

  afterEach(async () => {
    await real.send([['DEBUG', 'SET-ACTIVE-EXPIRE', '1'], ['SELECT', '0'], ['FLUSHALL']])
  })

  afterAll(() => real.close())

  it.each(
    types.flatMap(([type, make]) => [
      ['is far', type, make, FAR] as const,
      ['has passed already', type, make, PAST] as const,
    ]),
  )('are the same where it %s: %s', async (_, __, make, deadline) => {
    for (const words of COMMANDS) {
      const commands = [['SET', 'other', 'o'], make, deadline, words, ...AFTERWARDS, ['FLUSHALL']]
      comparison.demandAllSame(commands, runAll(commands), await real.send(commands))
    }
  })

  it.each(types)('are the same where it has passed and the key was not removed: %s', async (_, make) => {
    for (const words of COMMANDS) {
      const before = [['SET', 'other', 'o'], make, ['PEXPIRE', 'k', '1']]
      const after = [words, ...AFTERWARDS, ['FLUSHALL']]
      await real.send([['DEBUG', 'SET-ACTIVE-EXPIRE', '0'], ...before])
      await untilLater(real)
      const clock = { now: 1_000_000_000_000 }
      const run = runningAt(clock)
      before.forEach(run)
      clock.now += 2
      comparison.demandAllSame(after, after.map(run), await real.send(after), [...before, ...after])
    }
  })

  it.for([
    ['is the time of a script', 'now'],
    ['is a millisecond before the time of a script', 'passed'],
  ] as const)('are the same where it %s', async ([_, deadline], context) => {
    context.skip(isValkey8(realVersion), 'SET removes a key with such a deadline at once since Valkey 8.0')
    for (const words of COMMANDS) {
      const commands = [inScript(deadline, words), ['FLUSHALL']]
      const [simulated] = runAll(commands) as [readonly Reply[]]
      const [replies] = (await real.send(commands)) as [readonly Reply[]]
      comparison.demandAllSame([words, ...AFTERWARDS], simulated, replies, commands)
    }
  })

  it('are compared by thousands of replies', ({ annotate }) => {
    void annotate(comparison.summary)
    expect(comparison.count).toBeGreaterThan(COMMANDS.length * types.length * 2 * AFTERWARDS.length)
  })
})

/**
 * Runs a command in a script, on a string that expires at the time of the script or a millisecond before. The time stands still while a
 * script runs, so that the script can find it: keys with earlier deadlines do not exist.
 */
function inScript(deadline: string, words: Words): Words {
  const call = (parts: Words) => `reply(${parts.map((part) => `'${part}'`).join(', ')})`
  const lines = [
    `local function set(at) redis.call('set', 'k', '5', 'pxat', string.format('%.0f', at)) end`,
    `local most = tonumber(redis.call('time')[1]) * 1000 + 60000`,
    `local least = most - 3600000`,
    `while most - least > 1 do`,
    `  local at = math.floor((least + most) / 2)`,
    `  set(at)`,
    `  if redis.call('exists', 'k') == 1 then most = at else least = at end`,
    `end`,
    `local now, passed = most, least`,
    `local function reply(...)`,
    `  local reply = redis.pcall(...)`,
    // A real clock goes on: only whether any time is left can be the same.
    `  return (...):find('TTL') and reply > 0 and 'some' or reply`,
    `end`,
    `redis.call('set', 'other', 'o')`,
    `set(${deadline})`,
    `return {${[words, ...AFTERWARDS].map(call).join(', ')}}`,
  ]
  return ['EVAL', lines.join('\n'), '0']
}

/** Resolves when a real server has a later time than that of its last command. */
async function untilLater(real: RawClient): Promise<void> {
  const start = await timeOf(real)
  while ((await timeOf(real)) < start + 2) continue
}

async function timeOf(real: RawClient): Promise<number> {
  const [seconds, microseconds] = (await real.command('TIME')) as readonly Bytes[]
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
}

function runningAt(clock: { readonly now: number }): (words: Words) => Reply {
  const server = new Server({ now: () => clock.now, draw: () => 0 })
  const session = server.connect({ write: () => undefined, close: () => undefined })
  return (words) => server.execute(session, words)
}

/** Runs commands on a new server, at the time of now. */
function runAll(commands: readonly Words[]): readonly Reply[] {
  return commands.map(runningAt({ now: Date.now() }))
}
