import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bytesCodec,
  CodecError,
  CommandError,
  CrossSlotError,
  NoSuchObjectError,
  NotInBatchError,
  ObjectExistsError,
  Redisson,
  ScriptError,
  stringCodec,
  UnexpectedReplyError,
  UnsafeIntegerError,
  type RFunction,
} from '../../../src/index.js'
import { askAll } from '../../support/ask-all.js'
import { mastersAmong } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, slottedTopologies, single } from '../../support/topologies.js'

const LIBRARY = 'shop'

/** Registers a function that may write, and one that does not, for each name. */
const registered = (functions: Readonly<Record<string, string>>): string =>
  Object.entries(functions)
    .map(
      ([name, body]) => `
        local function ${name}(keys, args) ${body} end
        redis.register_function('${name}', ${name})
        redis.register_function{
          function_name = '${name}_ro', callback = ${name}, flags = { 'no-writes' }, description = 'тихо'
        }`,
    )
    .join('\n')

const INCREMENT = { increment: "return redis.call('incrby', keys[1], args[1])" }
const NAME = 'число{функция}'

describe.each(slottedTopologies)('functions ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const fn = (): RFunction<unknown> => clients.mine.getFunction()
  const texts = () => clients.mine.getFunction({ codec: stringCodec() })

  afterEach(async () => {
    await clients.other.getFunction().flush()
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
    ['VALUE', `return '{"a":["\u{1f511}"]}'`, { a: ['\u{1f511}'] }],
    ['VALUE', 'return nil', undefined],
    ['VALUE', "return 'null'", null],
    ['MULTI', 'return {}', []],
    ['MULTI', `return { '"a"', 1, false, { '2', { } } }`, ['a', 1, undefined, [2, []]]],
  ] as const)('return %s: %s', async (returns, body, expected) => {
    await fn().load(LIBRARY, registered({ f: body }))
    expect(await fn().call('READ_WRITE', 'f', returns)).toEqual(expected)
    expect(await fn().call('READ_WRITE', 'f', returns, [NAME])).toEqual(expected)
    expect(await fn().call('READ_ONLY', 'f_ro', returns, [NAME])).toEqual(expected)
  })

  it('are given names and values', async () => {
    const both = 'return { keys[1], keys[2], args[1], args[2] }'
    await fn().load(LIBRARY, registered({ ...INCREMENT, both, first: 'return args[1]' }))
    expect(await fn().call('READ_WRITE', 'increment', 'INTEGER', [NAME], 5)).toBe(5)
    expect(await clients.other.getAtomicLong(NAME).get()).toBe(5)
    const given = await texts().call('READ_WRITE', 'both', 'MULTI', [NAME, `${NAME}2`], 'ä', '')
    expect(given).toEqual([NAME, `${NAME}2`, 'ä', ''])
    expect(await fn().call('READ_WRITE', 'first', 'STATUS', [], 'a')).toBe('"a"')
    const bytes = clients.mine.getFunction({ codec: bytesCodec() })
    const binary = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x80])
    expect(Buffer.from((await bytes.call('READ_ONLY', 'first_ro', 'VALUE', [], binary)) ?? [])).toEqual(
      binary,
    )
  })

  it('have names which the nameMapper is not applied to, unlike keys', async () => {
    const nameMapper = { map: (name: string) => `mapped:${name}`, unmap: (name: string) => name.slice(7) }
    await using mapped = await Redisson.create({ ...topology.options(), nameMapper })
    await mapped.getFunction().load(LIBRARY, registered({ key: 'return keys[1]' }))
    expect(await mapped.getFunction().call('READ_ONLY', 'key_ro', 'STATUS', ['a'])).toBe('mapped:a')
    expect(await mapped.getFunction().list(LIBRARY)).toHaveLength(1)
  })

  it('are loaded at every master, and run at each', async () => {
    await fn().load(LIBRARY, registered(INCREMENT))
    for (const tag of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(await fn().call('READ_WRITE', 'increment', 'INTEGER', [`{${tag}}`], 2)).toBe(2)
      await clients.other.getKeys().delete(`{${tag}}`)
    }
  })

  it('are in a library that is loaded once, replaced and deleted', async () => {
    await fn().load(LIBRARY, registered({ f: 'return 1' }))
    const again = fn().load(LIBRARY, registered({ f: 'return 2' }))
    await expect(again).rejects.toMatchObject({ code: 'OBJECT_EXISTS', object: LIBRARY })
    await expect(fn().loadAndReplace('other', registered({ f: 'return 2' }))).rejects.toMatchObject({
      code: 'OBJECT_EXISTS',
    })
    expect(await fn().call('READ_WRITE', 'f', 'INTEGER')).toBe(1)
    await fn().loadAndReplace(LIBRARY, registered({ g: 'return 2' }))
    expect(await fn().call('READ_WRITE', 'g', 'INTEGER')).toBe(2)
    await expect(fn().call('READ_WRITE', 'f', 'INTEGER')).rejects.toThrow(NoSuchObjectError)
    await fn().delete(LIBRARY)
    expect(await fn().list()).toEqual([])
    const gone = { code: 'NO_SUCH_OBJECT', object: LIBRARY, message: `There is no library ${LIBRARY}` }
    await expect(fn().delete(LIBRARY)).rejects.toMatchObject(gone)
  })

  it('are refused if their code cannot be compiled', async () => {
    await expect(fn().load(LIBRARY, 'redis.register_function(')).rejects.toThrow(CommandError)
    await expect(fn().load(LIBRARY, "return 'nothing'")).rejects.toThrow(CommandError)
    await fn().load(LIBRARY, registered({ f: 'return 1' }))
    await expect(fn().loadAndReplace(LIBRARY, 'nonsense')).rejects.toThrow(CommandError)
    expect(await fn().call('READ_WRITE', 'f', 'INTEGER')).toBe(1)
  })

  it('are listed with their libraries, as they can be loaded again', async () => {
    const code = registered({ find: "return 'ä'" })
    await fn().load(LIBRARY, code)
    await fn().load('shop2', registered({ find2: 'return 2' }))
    await fn().load('other', registered({ find3: 'return 3' }))
    expect((await fn().list()).map(({ name }) => name).sort()).toEqual(['other', LIBRARY, 'shop2'])
    expect((await fn().list('shop*')).map(({ name }) => name).sort()).toEqual([LIBRARY, 'shop2'])
    expect(await fn().list('shop')).toEqual([
      {
        name: LIBRARY,
        engine: 'LUA',
        functions: expect.toSatisfy((functions: { name: string }[]) => functions.length === 2),
        code,
      },
    ])
    const [shop] = await fn().list(LIBRARY)
    expect(shop?.functions).toContainEqual({ name: 'find', description: undefined, flags: [] })
    expect(shop?.functions).toContainEqual({ name: 'find_ro', description: 'тихо', flags: ['no-writes'] })
    expect(await fn().list('none')).toEqual([])
    await fn().loadAndReplace(LIBRARY, shop?.code ?? '')
    expect(await fn().list(LIBRARY)).toHaveLength(1)
  })

  it('are dumped and restored', async () => {
    await fn().load(LIBRARY, registered({ f: 'return 1' }))
    const state = await fn().dump()
    expect(Object.prototype.toString.call(state)).toBe('[object Uint8Array]')
    const collides = { code: 'OBJECT_EXISTS', message: `There is a library ${LIBRARY} already` }
    await expect(fn().restore(state)).rejects.toMatchObject(collides)
    await fn().loadAndReplace(LIBRARY, registered({ f: 'return 2' }))
    await fn().load('other', registered({ g: 'return 3' }))
    await fn().restoreAndReplace(state)
    expect(await fn().call('READ_WRITE', 'f', 'INTEGER')).toBe(1)
    expect(await fn().call('READ_WRITE', 'g', 'INTEGER')).toBe(3)
    await fn().restoreAfterFlush(state)
    expect((await fn().list()).map(({ name }) => name)).toEqual([LIBRARY])
    await fn().flush()
    expect(await fn().list()).toEqual([])
    await fn().restore(state)
    expect(await fn().call('READ_WRITE', 'f', 'INTEGER')).toBe(1)
  })

  it('stay if what is to be restored cannot be read', async () => {
    await fn().load(LIBRARY, registered({ f: 'return 1' }))
    const bucket = clients.mine.getBucket(NAME)
    await bucket.set(1)
    const noFunctions = (await bucket.dump()) ?? new Uint8Array()
    for (const state of [Buffer.from('nonsense'), new Uint8Array(), noFunctions]) {
      await expect(fn().restore(state)).rejects.toThrow(RangeError)
      await expect(fn().restoreAndReplace(state)).rejects.toThrow(RangeError)
      await expect(fn().restoreAfterFlush(state)).rejects.toThrow(RangeError)
    }
    expect(await fn().call('READ_WRITE', 'f', 'INTEGER')).toBe(1)
  })

  it('that are unknown, or may write and are not allowed to, do not run', async () => {
    await fn().load(LIBRARY, registered(INCREMENT))
    const unknown = { code: 'NO_SUCH_OBJECT', object: 'none', mayHaveRun: false }
    await expect(fn().call('READ_WRITE', 'none', 'VALUE', [NAME])).rejects.toMatchObject(unknown)
    await expect(fn().call('READ_ONLY', 'none', 'VALUE', [NAME])).rejects.toMatchObject(unknown)
    const notRun = { code: 'SCRIPT', mayHaveRun: false }
    await expect(fn().call('READ_ONLY', 'increment', 'INTEGER', [NAME], 1)).rejects.toMatchObject(notRun)
    const writes = fn().call('READ_ONLY', 'increment_ro', 'INTEGER', [NAME], 1)
    await expect(writes).rejects.toThrow(ScriptError)
    expect(await clients.other.getKeys().countExists(NAME)).toBe(0)
  })

  it('that fail say so, and what they return is what was asked for', async () => {
    const functions = {
      fails: "error('mine')",
      refuses: "return redis.error_reply('MINE really')",
      unknown: "redis.call('set', keys[1], 1) return redis.call('none')",
      another: "redis.call('set', keys[1], 1) return redis.error_reply('ERR unknown command `fcall_ro`')",
      mistakes: "redis.call('set', keys[1], 1) return redis.call('llen', keys[1])",
      one: 'return 1',
      list: 'return {}',
      text: "return 'a'",
      large: 'return 2^60',
    }
    await fn().load(LIBRARY, registered(functions))
    await expect(fn().call('READ_WRITE', 'fails', 'VALUE')).rejects.toThrow('mine')
    const failed = { code: 'SCRIPT', script: 'refuses', message: 'refuses: MINE really', mayHaveRun: true }
    await expect(fn().call('READ_WRITE', 'refuses', 'VALUE', [NAME])).rejects.toMatchObject(failed)
    for (const name of ['unknown', 'another', 'mistakes']) {
      const begun = fn().call('READ_WRITE', name, 'VALUE', [NAME])
      await expect(begun).rejects.toMatchObject({ code: 'SCRIPT', script: name, mayHaveRun: true })
      expect(await clients.other.getKeys().delete(NAME)).toBe(1)
    }
    await expect(fn().call('READ_WRITE', 'one', 'VALUE')).rejects.toThrow(UnexpectedReplyError)
    await expect(fn().call('READ_WRITE', 'list', 'INTEGER')).rejects.toThrow(UnexpectedReplyError)
    await expect(fn().call('READ_WRITE', 'text', 'MULTI')).rejects.toThrow(UnexpectedReplyError)
    await expect(fn().call('READ_WRITE', 'text', 'VALUE')).rejects.toThrow(CodecError)
    await expect(fn().call('READ_WRITE', 'large', 'INTEGER')).rejects.toThrow(UnsafeIntegerError)
  })

  it('refuse what makes no sense, and nothing is sent', async () => {
    await fn().load(LIBRARY, registered(INCREMENT))
    const no = fn() as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
    const wrong: readonly (readonly [method: string, ...args: readonly unknown[]])[] = [
      ['call', 'READ', 'increment', 'INTEGER', [NAME], 1],
      ['call', 'READ_WRITE', '', 'INTEGER', [NAME], 1],
      ['call', 'READ_WRITE', 7, 'INTEGER', [NAME], 1],
      ['call', 'READ_WRITE', '\ud800', 'INTEGER', [NAME], 1],
      ['call', 'READ_WRITE', 'increment', 'LONG', [NAME], 1],
      ['call', 'READ_WRITE', 'increment', 'toString', [NAME], 1],
      ['call', 'READ_WRITE', 'increment', 'INTEGER', NAME, 1],
      ['call', 'READ_WRITE', 'increment', 'INTEGER', [7], 1],
      ['call', 'READ_WRITE', 'increment', 'INTEGER', [NAME], undefined],
      ['load', 'new', ''],
      ['load', 'new', 7],
      ['load', 'new', '#!lua name=new\nreturn 1'],
      ['load', 'new', registered({ f: 'return 1' }), 'REPLACE'],
      ['load', 'new\nname', registered({ f: 'return 1' })],
      ['load', 'new engine=js', registered({ f: 'return 1' })],
      ['load', '', registered({ f: 'return 1' })],
      ['loadAndReplace', 'новая', registered({ f: 'return 1' })],
      ['loadAndReplace', LIBRARY],
      ['delete'],
      ['delete', LIBRARY, 'other'],
      ['delete', `${LIBRARY} `],
      ['list', 7],
      ['list', ''],
      ['list', '*', 'WITHCODE'],
      ['flush', 'SYNC'],
      ['dump', LIBRARY],
      ['restore', 'text'],
      ['restore', await fn().dump(), 'FLUSH'],
      ['restoreAndReplace'],
      ['restoreAfterFlush', null],
    ]
    for (const [method, ...args] of wrong)
      await expect(no[method]?.(...args), method).rejects.toThrow(TypeError)
    const calls = fn().call('READ_WRITE', 'increment', 'INTEGER', [NAME], () => 1)
    await expect(calls).rejects.toThrow(CodecError)
    if (topology.kind === 'cluster') {
      const across = fn().call('READ_WRITE', 'increment', 'INTEGER', [NAME, 'elsewhere'], 1)
      await expect(across).rejects.toThrow(CrossSlotError)
    }
    expect(await clients.other.getKeys().countExists(NAME)).toBe(0)
    expect((await fn().list()).map(({ name }) => name)).toEqual([LIBRARY])
  })

  it('have no options but those of the codec, and no place in a batch', async () => {
    expect(() => clients.mine.getFunction({ exactlyOnce: true } as object)).toThrow(TypeError)
    expect(() => clients.mine.getFunction({ once: true } as object)).toThrow(TypeError)
    const batched = clients.mine.batch((batch) => [
      (batch as unknown as typeof clients.mine).getFunction().call('READ_WRITE', 'f', 'VALUE'),
    ])
    await expect(batched).rejects.toThrow(NotInBatchError)
  })
})

describe('libraries that the masters of a cluster do not have in common', () => {
  const clients = twoClients(cluster)
  const fn = () => clients.mine.getFunction()
  const code = registered({ f: 'return 1' })

  beforeEach(async () => {
    await fn().load(LIBRARY, code)
    const [master] = await mastersAmong(cluster.nodes)
    await master?.command('FUNCTION', 'DELETE', LIBRARY)
  })

  afterEach(async () => {
    await fn().flush()
  })

  it('are not listed, and are made equal by loading them again', async () => {
    expect(await fn().list()).toEqual([])
    await fn().loadAndReplace(LIBRARY, code)
    expect(await fn().list()).toHaveLength(1)
    await (
      await mastersAmong(cluster.nodes)
    )[0]?.command('FUNCTION', 'LOAD', 'REPLACE', `#!lua name=shop\n-- 2\n${code}`)
    expect(await fn().list()).toEqual([])
  })

  it('are loaded and deleted where that can be done, and the call rejects', async () => {
    await expect(fn().load(LIBRARY, code)).rejects.toThrow(ObjectExistsError)
    expect(await fn().list()).toHaveLength(1)
    await (await mastersAmong(cluster.nodes))[0]?.command('FUNCTION', 'DELETE', LIBRARY)
    await expect(fn().delete(LIBRARY)).rejects.toThrow(NoSuchObjectError)
    const left = await askAll(await mastersAmong(cluster.nodes), (node) => node.command('FUNCTION', 'LIST'))
    expect(left.flat()).toEqual([])
  })
})

describe('a function that the user has no right to call', () => {
  it('has not run', async () => {
    const [server] = single.nodes
    const admin = await Redisson.create(single.options())
    await admin.getFunction().load(LIBRARY, registered({ f: 'return 1' }))
    await server.command('ACL', 'SETUSER', 'guest', 'on', '>guest', '~*', '&*', '+@all', '-fcall')
    const guest = await Redisson.create({ ...single.options(), username: 'guest', password: 'guest' })
    const refused = guest.getFunction().call('READ_WRITE', 'f', 'INTEGER')
    await expect(refused).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: false })
    expect(await guest.getFunction().call('READ_ONLY', 'f_ro', 'INTEGER')).toBe(1)
    await admin.getFunction().flush()
    await Promise.all([admin.shutdown(), guest.shutdown()])
    await server.command('ACL', 'DELUSER', 'guest')
  })
})
