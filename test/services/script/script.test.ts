import { afterEach, describe, expect, it } from 'vitest'
import {
  CodecError,
  CrossSlotError,
  ScriptError,
  stringCodec,
  UnexpectedReplyError,
  UnsafeIntegerError,
  type RScript,
} from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const INCREMENT = "return redis.call('incrby', KEYS[1], ARGV[1])"
const READ = "return redis.call('get', KEYS[1])"
const UNKNOWN = '0123456789abcdef0123456789ABCDEF01234567'

/** A list of two names of which the first is not there. */
const WITH_HOLE = Object.assign(new Array<string>(2), { 1: 'a' })

describe.each(slottedTopologies)('scripts ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const script = (): RScript<unknown> => clients.mine.getScript()
  const once = (): RScript<unknown> => clients.mine.getScript({ exactlyOnce: true })
  const texts = () => clients.mine.getScript({ codec: stringCodec() })
  const NAME = 'число{скрипт}'

  afterEach(async () => {
    await clients.other.getKeys().delete(NAME, `${NAME}2`)
  })

  it.each([
    ['BOOLEAN', 'return true', true],
    ['BOOLEAN', 'return false', false],
    ['BOOLEAN', "return redis.status_reply('OK')", true],
    ['BOOLEAN', 'return nil', false],
    ['INTEGER', 'return 7.9', 7],
    ['INTEGER', 'return -9007199254740991', -Number.MAX_SAFE_INTEGER],
    ['STATUS', "return redis.status_reply('FINE')", 'FINE'],
    ['VALUE', `return '{"a":[1]}'`, { a: [1] }],
    ['VALUE', 'return nil', undefined],
    ['VALUE', "return 'null'", null],
    ['MULTI', 'return {}', []],
    ['MULTI', `return { '"a"', 1, false, { '2', { } } }`, ['a', 1, undefined, [2, []]]],
  ] as const)('return %s: %s', async (returns, lua, expected) => {
    expect(await script().eval('READ_WRITE', lua, returns)).toEqual(expected)
    expect(await script().eval('READ_ONLY', lua, returns, [NAME])).toEqual(expected)
    expect(await once().eval('READ_WRITE', lua, returns, [NAME])).toEqual(expected)
  })

  it('are given names and values', async () => {
    expect(await script().eval('READ_WRITE', INCREMENT, 'INTEGER', [NAME], 5)).toBe(5)
    expect(await clients.other.getAtomicLong(NAME).get()).toBe(5)
    expect(await script().eval('READ_ONLY', READ, 'VALUE', [NAME])).toBe(5)
    const both = 'return { KEYS[1], KEYS[2], ARGV[1], ARGV[2] }'
    const given = await texts().eval('READ_WRITE', both, 'MULTI', [NAME, `${NAME}2`], 'a', '')
    expect(given).toEqual([NAME, `${NAME}2`, 'a', ''])
    expect(await script().eval('READ_WRITE', 'return ARGV[1]', 'STATUS', [], 'a')).toBe('"a"')
  })

  it('run after the servers have forgotten them', async () => {
    await script().eval('READ_ONLY', READ, 'VALUE', [NAME])
    await script().scriptFlush()
    expect(await script().eval('READ_ONLY', READ, 'VALUE', [NAME])).toBeUndefined()
    await script().scriptFlush()
    expect(await once().eval('READ_WRITE', INCREMENT, 'INTEGER', [NAME], 1)).toBe(1)
  })

  it('are loaded at every master, and run by their hashes', async () => {
    const sha = await script().scriptLoad(INCREMENT)
    expect(sha).toMatch(/^[0-9a-f]{40}$/)
    expect(await script().scriptExists(sha, UNKNOWN, sha.toUpperCase())).toEqual([true, false, true])
    expect(await script().scriptExists()).toEqual([])
    for (const tag of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(await script().evalSha('READ_WRITE', sha, 'INTEGER', [`{${tag}}`], 2)).toBe(2)
      await clients.other.getKeys().delete(`{${tag}}`)
    }
    await script().scriptFlush()
    expect(await script().scriptExists(sha)).toEqual([false])
    const forgotten = script().evalSha('READ_WRITE', sha, 'INTEGER', [NAME], 2)
    await expect(forgotten).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: false })
    await expect(once().evalSha('READ_ONLY', UNKNOWN, 'VALUE', [NAME])).rejects.toThrow('NOSCRIPT')
    expect(await clients.other.getKeys().countExists(NAME)).toBe(0)
  })

  it('that only read are not allowed to write', async () => {
    const refused = script().eval('READ_ONLY', INCREMENT, 'INTEGER', [NAME], 1)
    await expect(refused).rejects.toThrow(ScriptError)
    await expect(script().eval('READ_ONLY', "return redis.call('none')", 'VALUE')).rejects.toThrow(
      ScriptError,
    )
    expect(await clients.other.getKeys().countExists(NAME)).toBe(0)
  })

  it('that fail say so, and what they return is what was asked for', async () => {
    await expect(script().eval('READ_WRITE', 'return nonsense(', 'VALUE')).rejects.toThrow(ScriptError)
    await expect(script().eval('READ_WRITE', "error('mine')", 'VALUE')).rejects.toThrow('mine')
    await expect(
      script().eval('READ_WRITE', "return redis.error_reply('MINE really')", 'VALUE', [NAME]),
    ).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: true })
    const mistaken = "redis.call('set', KEYS[1], 1) return redis.call('llen', KEYS[1])"
    for (const each of [script(), once()]) {
      const begun = each.eval('READ_WRITE', mistaken, 'VALUE', [NAME])
      await expect(begun).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: true })
      expect(await clients.other.getKeys().delete(NAME)).toBe(1)
    }
    await expect(script().eval('READ_WRITE', 'return 1', 'VALUE')).rejects.toThrow(UnexpectedReplyError)
    for (const lua of ["return '\\255'", "return redis.status_reply('a\\195')"])
      await expect(script().eval('READ_WRITE', lua, 'STATUS')).rejects.toThrow(UnexpectedReplyError)
    await expect(script().eval('READ_WRITE', 'return {}', 'INTEGER')).rejects.toThrow(UnexpectedReplyError)
    await expect(script().eval('READ_WRITE', "return '1'", 'MULTI')).rejects.toThrow(UnexpectedReplyError)
    await expect(script().eval('READ_WRITE', "return 'a'", 'VALUE')).rejects.toThrow(CodecError)
    await expect(script().eval('READ_WRITE', 'return 2^60', 'INTEGER')).rejects.toThrow(UnsafeIntegerError)
  })

  it.each([
    'BUSY the stock is being counted',
    'TRYAGAIN later',
    'CLUSTERDOWN for maintenance',
    'LOADING the stock',
    'READONLY stock',
    'OOM out of mangoes',
    'NOREPLICAS of the key',
    'NOSCRIPT for this play',
    'NOAUTH no author',
    'UNBLOCKED at last',
    'ERR unknown command `evalsha_ro`',
    'ERR unknown command `evalsha_now`',
  ])('that fail after a write do not run again, whatever they say: %s', async (words) => {
    const lua = `redis.call('incr', KEYS[1]) return redis.error_reply('${words}')`
    const failed = { code: 'SCRIPT', mayHaveRun: true, message: expect.stringContaining(words) as string }
    await expect(script().eval('READ_WRITE', lua, 'VALUE', [NAME])).rejects.toMatchObject(failed)
    await expect(once().eval('READ_WRITE', lua, 'VALUE', [NAME])).rejects.toMatchObject(failed)
    const sha = await script().scriptLoad(lua)
    await expect(script().evalSha('READ_WRITE', sha, 'VALUE', [NAME])).rejects.toMatchObject(failed)
    expect(await clients.other.getAtomicLong(NAME).get()).toBe(3)
  })

  it.each(['return once', 'return DEEPEST', 'return request()'])(
    'find no name of the library: %s',
    async (lua) => {
      await expect(once().eval('READ_WRITE', lua, 'VALUE', [NAME])).rejects.toMatchObject({ code: 'SCRIPT' })
    },
  )

  it.each(["return { '1', err = {} }", "return { '1', err = true }"])(
    'that return no error have none: %s',
    async (lua) => {
      const plain = await script().eval('READ_WRITE', lua, 'MULTI', [NAME])
      expect(await once().eval('READ_WRITE', lua, 'MULTI', [NAME])).toEqual(plain)
    },
  )

  it('may have the three dots of a chunk', async () => {
    expect(await once().eval('READ_WRITE', 'return select("#", ...)', 'INTEGER', [NAME])).toBe(0)
  })

  it('refuse what makes no sense, and nothing is sent', async () => {
    const no = script() as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
    for (const args of [
      ['READ', INCREMENT, 'INTEGER', [NAME], 1],
      ['READ_WRITE', '', 'INTEGER', [NAME], 1],
      ['READ_WRITE', INCREMENT, 'LONG', [NAME], 1],
      ['READ_WRITE', INCREMENT, 'toString', [NAME], 1],
      ['READ_WRITE', INCREMENT, 'INTEGER', NAME, 1],
      ['READ_WRITE', INCREMENT, 'INTEGER', [7], 1],
      ['READ_WRITE', INCREMENT, 'INTEGER', WITH_HOLE, 1],
      ['READ_WRITE', INCREMENT, 'INTEGER', [NAME], undefined],
    ])
      await expect(no['eval']?.(...args)).rejects.toThrow(TypeError)
    await expect(
      script().eval('READ_WRITE', INCREMENT, 'INTEGER', [NAME], 1n ** 2n, () => 1),
    ).rejects.toThrow(CodecError)
    await expect(no['evalSha']?.('READ_WRITE', 'abc', 'VALUE')).rejects.toThrow(TypeError)
    await expect(no['scriptLoad']?.(7)).rejects.toThrow(TypeError)
    await expect(no['scriptLoad']?.('return 1', 'return 2')).rejects.toThrow(TypeError)
    await expect(no['scriptExists']?.(UNKNOWN, 'abc')).rejects.toThrow(TypeError)
    await expect(no['scriptFlush']?.('abc')).rejects.toThrow(TypeError)
    await expect(once().eval('READ_WRITE', '#!lua\nreturn 1', 'INTEGER')).rejects.toThrow(TypeError)
    expect(() => clients.mine.getScript({ once: true } as object)).toThrow(TypeError)
    if (topology.kind === 'cluster')
      await expect(script().eval('READ_ONLY', READ, 'VALUE', [NAME, 'elsewhere'])).rejects.toThrow(
        CrossSlotError,
      )
    expect(await clients.other.getKeys().countExists(NAME)).toBe(0)
  })
})
