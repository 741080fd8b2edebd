import { describe, expect, it } from 'vitest'
import { OK, Refusal, type Reply, Status } from '../reply.js'
import { compileScript, LuaSyntaxError } from './script.js'
import { evaluate } from './testing/evaluate.js'
import { fewCommands } from './testing/few-commands.js'

const SHA_AND_LINE = / script: [0-9a-f]{40}, on @user_script:(\d+)\.$/

/** The message of the error that a script raises, and its line. */
function errorOf(script: string): string {
  const reply = evaluate(script)
  return reply instanceof Refusal ? reply.text.replace(SHA_AND_LINE, ' (line $1)') : 'no error'
}

describe('a script', () => {
  it.each<[script: string, expected: Reply]>([
    ['return "\0\\255"', '\0\xff'],
    ['return 3.99', 3],
    ['return -3.99', -3],
    ['return 2^53 + 2', 9007199254740994n],
    ['return 1e100', -(2n ** 63n)],
    ['return true', 1],
    ['return false', null],
    ['return nil', null],
    ['return', null],
    ['return {1, "a", {true}, false, nil, 5}', [1, 'a', [1], null]],
    ['return {ok = "fine"}', new Status('fine')],
    ['return {err = "BAD thing"}', new Refusal('BAD thing')],
    ['return redis.error_reply("thing")', new Refusal('ERR thing')],
    ['return redis.status_reply("fine")', new Status('fine')],
    ['return {KEYS[1], KEYS[2], ARGV[1], #ARGV}', ['k1', 'k2', 'a1', 2]],
  ])('has its result as a reply: %s', (script, expected) => {
    expect(evaluate(script)).toStrictEqual(expected)
  })

  it.each<[script: string, expected: Reply]>([
    ['return redis.call("set", "k", "v")', OK],
    ['return redis.call("set", "k", "v").ok', 'OK'],
    ['return tostring(redis.call("get", "k"))', 'false'],
    ['return redis.call("mget", "k", "l")', [null, null]],
    ['return redis.call("echo", 0.1)', '0.10000000000000001'],
    [
      'return redis.pcall("lpush", "k", "v").err',
      'WRONGTYPE Operation against a key holding the wrong kind of value',
    ],
  ])('runs commands: %s', (script, expected) => {
    expect(evaluate(script)).toStrictEqual(expected)
  })

  it.each([
    ['error("x")', 'ERR user_script:1: x (line 1)'],
    ['\nerror({err = "MY x"})', 'MY x (line 2)'],
    [
      'redis.call("lpush", "k", "v")',
      'WRONGTYPE Operation against a key holding the wrong kind of value (line 1)',
    ],
    ['\n\nreturn 1 + nil', 'ERR user_script:3: attempt to perform arithmetic on a nil value (line 3)'],
    ['local t = {} return t.x.y', `ERR user_script:1: attempt to index field 'x' (a nil value) (line 1)`],
    ['local f f()', `ERR user_script:1: attempt to call local 'f' (a nil value) (line 1)`],
    ['return 1 < nil', 'ERR user_script:1: attempt to compare number with nil (line 1)'],
    ['x = 1', 'ERR user_script:1: Attempt to modify a readonly table (line 1)'],
    ['return x', `ERR user_script:1: Script attempted to access nonexistent global variable 'x' (line 1)`],
    ['string.rep()', `ERR user_script:1: bad argument #1 to 'rep' (string expected, got no value) (line 1)`],
    ['local function f() return 1 + f() end return f()', 'ERR user_script:1: stack overflow (line 1)'],
  ])('has its error as a refusal: %s', (script, expected) => {
    expect(errorOf(script)).toBe(expected)
  })

  it.each([
    ['x x', `user_script:1: '=' expected near 'x'`],
    ['\nreturn (1', `user_script:2: ')' expected near '<eof>'`],
    ["return 'a", `user_script:1: unfinished string near '<eof>'`],
    ['if x', `user_script:1: 'then' expected near '<eof>'`],
  ])('that is no Lua is not compiled: %s', (script, message) => {
    expect(() => compileScript(script)).toThrow(new LuaSyntaxError(message))
  })

  it('may begin with the name of the engine', () => {
    expect(evaluate('#!lua flags=no-writes\nreturn 5')).toBe(5)
  })

  it('finds nothing of what an earlier run has left', () => {
    const script = compileScript('local before = KEYS.x KEYS.x = 1 return before')
    const host = fewCommands()
    expect([script.run(host, [], []), script.run(host, [], [])]).toEqual([null, null])
  })

  it('draws numbers that go on from script to script, and are the same ones for each server', () => {
    const script = compileScript('return {math.random(1000), math.random(1000)}')
    const [one, another] = [fewCommands(), fewCommands()]
    const first = script.run(one, [], [])
    expect(script.run(one, [], [])).not.toEqual(first)
    expect(script.run(another, [], [])).toEqual(first)
  })

  it('sees the same addresses in each run', () => {
    const script = compileScript('return {tostring({}), tostring(function() end), tostring(redis)}')
    const first = script.run(fewCommands(), [], [])
    expect(script.run(fewCommands(), [], [])).toEqual(first)
  })

  it('lets what a server throws pass', () => {
    const crash = new Error('the server has gone')
    const host = {
      ...fewCommands(),
      call: () => {
        throw crash
      },
    }
    const script = compileScript('return {pcall(redis.call, "ping")}')
    expect(() => script.run(host, [], [])).toThrow(crash)
  })

  it('may call itself for ever, if that is the last thing it does', () => {
    expect(
      evaluate('local function f(n) if n == 0 then return "done" end return f(n - 1) end return f(100000)'),
    ).toBe('done')
  })

  it('catches errors of functions that are deep within each other', () => {
    const script =
      'local function f(n) if n == 0 then error({err = "E deep"}) end return (f(n - 1)) end return {pcall(f, 190)}'
    expect(evaluate(script)).toEqual([null, 'E deep'])
  })
})
