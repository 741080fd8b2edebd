import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import type { Bytes, Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { Comparison } from './comparison.js'
import { RawClient } from './raw-client.js'
import { realVersion } from './real-version.js'
import { isBefore7 } from './version-differences.js'

type Words = readonly Bytes[]

/** A request to load a library. */
const load = (code: Bytes, name = 'lib', ...options: readonly Bytes[]): Words => [
  'FUNCTION',
  'LOAD',
  ...options,
  `#!lua name=${name}\n${code}`,
]

/** A request to load a library of one function, and to call it. */
const calling = (body: Bytes, ...words: Words): readonly Words[] => [
  load(`redis.register_function('f', function(keys, args) ${body}\nend)`),
  ['FCALL', 'f', ...(words.length > 0 ? words : ['2', 'k', 'l', 'a', 'b'])],
]

const registering = (args: Bytes): readonly Words[] => [load(`redis.register_function${args}`)]

const NOTHING = 'callback = function() end'

const cases: Readonly<Record<string, readonly Words[]>> = {
  'a function with keys and arguments': calling('return {#keys, keys[1], keys[2], args, 2.9, true, false}'),
  'a function that runs commands': calling(
    "redis.call('set', keys[1], args[1]) return redis.call('get', keys[1])",
  ),
  'a function by a name in another case': [...calling('return 1'), ['fcall', 'F', '0']],
  'a function that only reads': [
    load(`redis.register_function{function_name = 'f', flags = {'no-writes'}, callback = function(keys)
      return redis.call('get', keys[1]) end}`),
    ['SET', 'k', 'v'],
    ['FCALL_RO', 'f', '1', 'k'],
    ['FCALL', 'f', '1', 'k'],
  ],
  'a function that writes although it only reads': [
    load(`redis.register_function{function_name = 'f', flags = {'no-writes'}, callback = function(keys)
      return redis.call('set', keys[1], 1) end}`),
    ['FCALL', 'f', '1', 'k'],
    ['FCALL_RO', 'f', '1', 'k'],
  ],
  'a function that may write, where it may only read': [...calling('return 1'), ['FCALL_RO', 'f', '0']],
  'a variable of the library': [
    load("local n = 0\nredis.register_function('f', function() n = n + 1 return n end)"),
    ['FCALL', 'f', '0'],
    ['FCALL', 'f', '0'],
  ],
  'two functions that share one': [
    load(`local function twice(n) return 2 * n end
      redis.register_function('f', function(_, args) return twice(args[1]) end)
      redis.register_function('g', function(_, args) return twice(twice(args[1])) end)`),
    ['FCALL', 'f', '0', '3'],
    ['FCALL', 'g', '0', '3'],
  ],
  'random numbers, which functions and scripts share': [
    ['EVAL', 'math.randomseed(7) return 1', '0'],
    ...calling('return math.random(1000)'),
    ['EVAL', 'return math.random(1000)', '0'],
  ],
  'an error of a function': calling("\nerror('x')"),
  'an error of its own': calling("error({err = 'MINE x'})"),
  'an error that is returned': calling("return redis.error_reply('MINE x')"),
  'an error of Lua': calling('\n\nreturn 1 + nil'),
  'a value of another type': [['SET', 'k', 'v'], ...calling("return redis.call('hget', keys[1], 'f')")],
  'an unknown command': calling("return redis.call('nosuch')"),
  'a command with too few words': calling("return redis.call('get')"),
  'a function that calls another': calling("return redis.pcall('fcall', 'f', 0)"),
  'a function that changes functions': calling("return redis.call('function', 'flush')"),
  'a script that calls a function': [
    ...calling('return 1'),
    ['EVAL', "return redis.call('fcall', 'f', 0)", '0'],
  ],
  'a global variable': calling('x = 1'),
  'a global variable that is not there': calling('return x'),
  'keys and arguments as globals': calling('return KEYS'),
  'what only scripts have': calling(
    'return {redis.breakpoint == nil, redis.debug == nil, redis.register_function == nil}',
  ),
  'what scripts have as well': calling(
    'return {type(_G), _VERSION, type(string), type(table), type(math), type(cjson), type(redis.sha1hex), redis.LOG_WARNING, redis.REPL_ALL}',
  ),
  'registering while it runs': calling("redis.register_function('g', function() end)"),
  'a function in a transaction': [
    load("redis.register_function('f', function(keys) return redis.call('incr', keys[1]) end)"),
    ['MULTI'],
    ['FCALL', 'f', '1', 'n'],
    ['FCALL', 'nosuch', '0'],
    ['EXEC'],
  ],
  'a function that is not known': [
    ['FCALL', 'nosuch', '0'],
    ['FCALL_RO', 'nosuch', '0'],
  ],
  'wrong numbers of keys': [
    ...calling('return 1', '1', 'k'),
    ...['x', '-1', '2', '1.5', ''].map((count) => ['FCALL', 'f', count, 'k']),
  ],
  'too few words': [
    ['FCALL'],
    ['FCALL', 'f'],
    ['FUNCTION'],
    ['FUNCTION', 'NOSUCH'],
    ['FUNCTION', 'LOAD'],
    ['FUNCTION', 'DELETE'],
    ['FUNCTION', 'DELETE', 'a', 'b'],
    ['FUNCTION', 'FLUSH', 'x'],
    ['FUNCTION', 'FLUSH', 'SYNC', 'x'],
    ['FUNCTION', 'LIST', 'x'],
    ['FUNCTION', 'LIST', 'LIBRARYNAME'],
    ['FUNCTION', 'LIST', 'WITHCODE', 'WITHCODE'],
    ['FUNCTION', 'DUMP', 'x'],
    ['FUNCTION', 'RESTORE'],
    ['FUNCTION', 'RESTORE', 'no dump'],
    ['FUNCTION', 'RESTORE', 'no dump', 'x'],
    ['FUNCTION', 'RESTORE', 'no dump', 'FLUSH', 'x'],
    ['FUNCTION', 'LOAD', 'x', '#!lua name=lib\n'],
    ['FUNCTION', 'LOAD', 'REPLACE'],
  ],
  'first lines that name no library': [
    'return 1',
    '#!lua name=lib',
    '#!lua\nreturn 1',
    '#!lua name=a name=b\n',
    '#!lua name=a other=b\n',
    '#!lua name=\n',
    '#!lua name=a-b\n',
    '#!js name=a\n',
    '#! name=a\n',
    '#!LUA NAME=a\nredis.register_function("f", function() end)',
    '#!lua   name=b  \nredis.register_function("g", function() end)',
  ].map((code) => ['FUNCTION', 'LOAD', code]),
  'code that is no Lua': [load('return +'), load('x x'), load("\n\nlocal s = 'a")],
  'code that registers nothing': [load(''), load('return 1')],
  'code that fails': [
    load('return 1 + nil'),
    load('x = 1'),
    load('return y'),
    load("return redis.call('get', 'k')"),
    load('return tostring(1)'),
    load('return KEYS'),
    load('redis.log(redis.LOG_WARNING)'),
  ],
  'a function without a name or a callback': [
    '()',
    "('f', function() end, 1)",
    "('f')",
    "('f', 1)",
    '(1, function() end)',
    '({}, function() end)',
    "('a b', function() end)",
    "('', function() end)",
    '{}',
    '{1}',
    `{function_name = 'f'}`,
    `{${NOTHING}}`,
    `{function_name = {}}`,
    `{callback = 1}`,
    `{description = {}}`,
    `{nosuch = 1}`,
    `{function_name = 'a b', ${NOTHING}}`,
  ].flatMap(registering),
  'flags that are none': [
    ...registering(`{function_name = 'f', ${NOTHING}, flags = {'x'}}`),
    ...registering(`{flags = 'no-writes'}`),
    ...registering(`{flags = {{}}}`),
  ],
  'a name of a number': [...registering('(1, function() return 5 end)'), ['FCALL', '1', '0']],
  'a function that is there already': [
    load(`redis.register_function('f', function() end) redis.register_function('f', function() end)`),
    load(`redis.register_function('f', function() return 1 end)`),
    load(`redis.register_function('f', function() return 2 end)`, 'other'),
    load(`redis.register_function('F', function() return 3 end)`, 'other'),
    ['FCALL', 'f', '0'],
  ],
  'a library that is replaced': [
    load(`redis.register_function('f', function() return 1 end)`),
    load(`redis.register_function('f', function() return 2 end)`),
    load(`redis.register_function('g', function() return 3 end)`, 'lib', 'REPLACE'),
    ['FCALL', 'f', '0'],
    ['FCALL', 'g', '0'],
    load('return +', 'lib', 'replace'),
    load('return 1', 'lib', 'REPLACE', 'replace'),
    ['FCALL', 'g', '0'],
  ],
  'lists of libraries': [
    ['FUNCTION', 'LIST'],
    load(
      `redis.register_function{function_name = 'f', description = 'what it does', flags = {'ALLOW-OOM', 'no-writes'}, ${NOTHING}}`,
    ),
    ['FUNCTION', 'LIST'],
    load(`redis.register_function('g', function() end)`, 'other'),
    ['FUNCTION', 'LIST', 'LIBRARYNAME', 'o*', 'WITHCODE'],
    ['FUNCTION', 'LIST', 'withcode', 'libraryname', 'lib'],
    ['FUNCTION', 'LIST', 'LIBRARYNAME', 'nosuch'],
    ['FUNCTION', 'DELETE', 'lib'],
    ['FUNCTION', 'DELETE', 'lib'],
    ['FUNCTION', 'LIST'],
    ['FCALL', 'f', '0'],
    ['FUNCTION', 'FLUSH', 'ASYNC'],
    ['FUNCTION', 'LIST'],
  ],
}

describe('functions at the simulated server and at a real one', () => {
  let real: RawClient
  const comparison = new Comparison()

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
  })

  beforeEach((context) => {
    context.skip(isBefore7(realVersion), 'functions came with Redis 7.0')
  })

  afterEach(() => real.send([['FUNCTION', 'FLUSH'], ['FLUSHALL']]))

  afterAll(() => real.close())

  it.each(Object.entries(cases))('are the same: %s', async (_, commands) => {
    const send = simulatedServer()
    comparison.demandAllSame(commands, commands.map(send), await real.send(commands))
  })

  it.each(['APPEND', 'REPLACE', 'FLUSH'])('are the same when a dump is restored: %s', async (policy) => {
    const simulated = await restoreDump(simulatedServer(), policy)
    const expected = await restoreDump((words) => real.command(...words), policy)
    comparison.demandAllSame(simulated.commands, simulated.replies, expected.replies)
  })

  it('are compared by more than a hundred replies', ({ annotate }) => {
    void annotate(comparison.summary)
    expect(comparison.count).toBeGreaterThan(100)
  })
})

type Send = (words: Words) => Reply | Promise<Reply>

function simulatedServer(): (words: Words) => Reply {
  const server = new Server({ now: Date.now, draw: () => 0 })
  const session = server.connect({ write: () => undefined, close: () => undefined })
  return (words) => server.execute(session, words)
}

/** Restores a library in place of a later version, next to another library, and to an empty server. The payloads are not compared. */
async function restoreDump(
  send: Send,
  policy: Bytes,
): Promise<{ readonly commands: readonly Words[]; readonly replies: readonly Reply[] }> {
  const library = (result: number) => `redis.register_function('f', function() return ${String(result)} end)`
  await send(load(library(1)))
  const restore = ['FUNCTION', 'RESTORE', (await send(['FUNCTION', 'DUMP'])) as Bytes, policy]
  const list = ['FUNCTION', 'LIST', 'LIBRARYNAME', 'lib', 'WITHCODE']
  const steps = [
    load(library(2), 'lib', 'REPLACE'),
    restore,
    ['FCALL', 'f', '0'],
    list,
    ['FUNCTION', 'FLUSH'],
    load(library(3), 'other'),
    restore,
    ['FCALL', 'f', '0'],
    list,
    ['FUNCTION', 'FLUSH'],
    restore,
    list,
  ]
  const replies: Reply[] = []
  for (const words of steps) replies.push(await send(words))
  return { commands: steps, replies }
}
