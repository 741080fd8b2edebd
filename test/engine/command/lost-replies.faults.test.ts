import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import {
  boolean,
  bytes,
  int64,
  integer,
  list,
  nullable,
  status,
  tuple,
} from '../../../src/command/operation/replies.js'
import { defineScript } from '../../../src/command/operation/script.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import { isRedissonError, type RedissonError } from '../../../src/errors/redisson-error.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { ownerOf } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { topologies } from '../../support/topologies.js'

/** Long enough that a slow machine replies to what is sent only once. */
const TIMEOUT_MS = 2_000

const get = defineCommand('GET', { keys: ['key'], args: [], reply: nullable(bytes), repeat: 'safe' })
const unlink = defineCommand('UNLINK', { keys: ['key'], args: [], reply: integer, repeat: 'idempotent' })
const set = defineCommand('SET', { keys: ['key'], args: ['value'], reply: status, repeat: 'idempotent' })
const incr = defineCommand('INCR', { keys: ['key'], args: [], reply: integer, repeat: 'counting' })
const sadd = defineCommand('SADD', {
  keys: ['key'],
  args: ['member'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})
const getdel = defineCommand('GETDEL', {
  keys: ['key'],
  args: [],
  reply: nullable(bytes),
  repeat: 'counting',
})
const incrby = defineCommand('INCRBY', { keys: ['key'], args: ['delta'], reply: int64, repeat: 'counting' })
const several = defineScript('test/several', {
  lua: "return { redis.call('incr', KEYS[1]), '\\0', false, {} }",
  keys: ['key'],
  args: [],
  reply: tuple(integer, bytes, nullable(bytes), list(integer)),
  repeat: 'counting',
})

const once = { exactlyOnce: true }

const append = defineScript('test/append', {
  lua: "return redis.call('append', KEYS[1], ARGV[1])",
  keys: ['key'],
  args: ['text'],
  reply: integer,
  repeat: 'counting',
})

describe.each(topologies)('a lost message of a plain command or script on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  /** Of the server that has the keys: others answer only that they have not. */
  let owners: readonly TcpProxy[]
  let connection: Connection
  let executor: ConnectionExecutor
  let key: string
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    for (const node of topology.nodes) await node.command('SCRIPT', 'LOAD', append.source)
    door = await proxied(topology)
    const config = resolveConfig(
      door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 5 }),
    )
    connection = await createConnection(config, new Emitter())
    executor = new ConnectionExecutor(connection, config)
  })

  beforeEach(async () => {
    key = `lost-operation-${String(names++)}`
    const owner = await ownerOf(topology, key)
    owners = [door.proxyOf(topology.nodes.find((node) => node === owner) ?? topology.nodes[0])]
    await executor.run(get, { keys: { key }, args: {} }) // so that there is a connection again
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await executor.run(unlink, { keys: { key }, args: {} })
  })

  afterAll(async () => {
    await executor.close(Deadline.after(1000))
    await connection.close()
    await door.stop()
  })

  const stored = async () => String(await executor.run(get, { keys: { key }, args: {} }))

  /** The error of a call that has to fail. */
  const failure = async (call: Promise<unknown>): Promise<RedissonError> => {
    const reason = await call.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (isRedissonError(reason)) return reason
    throw new Error('Expected the call to fail', { cause: reason })
  }

  /** Lets no connection through, and waits until the client knows. */
  const shut = async () => {
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await eventually(async () => !(await failure(connection.send({ name: 'get', args: [key] }))).mayHaveRun)
  }

  describe.each(faultsFor(TIMEOUT_MS))('which %s', (...fault) => {
    const moment = fault[1]

    it('does not keep a command that reads from its result', async () => {
      await executor.run(set, { keys: { key }, args: { value: 'there' } })
      strike(owners, key, fault)
      expect(await stored()).toBe('there')
    })

    it('does not keep an idempotent command from its result', async () => {
      strike(owners, key, fault)
      expect(await executor.run(set, { keys: { key }, args: { value: 'once' } })).toBe('OK')
      expect(await stored()).toBe('once')
    })

    it('has an idempotent command tell what it has changed, or that nothing tells', async () => {
      strike(owners, key, fault)
      const added = executor.run(sadd, { keys: { key }, args: { member: 'm' } })
      if (moment === 'request') expect(await added).toBe(true)
      else {
        const error = await failure(added)
        expect(error).toMatchObject({ mayHaveRun: true, request: `SADD of ${key}` })
        expect(['CONNECTION_LOST', 'REPLY_TIMEOUT']).toContain(error.code)
      }
    })

    it('fails a command that counts, which is not sent again', async () => {
      strike(owners, key, fault)
      const error = await failure(executor.run(incr, { keys: { key }, args: {} }))
      expect(error).toMatchObject({ mayHaveRun: true, attempts: 1 })
      expect(await executor.run(incr, { keys: { key }, args: {} })).toBe(moment === 'request' ? 1 : 2)
    })

    it('fails a script that counts, which is not sent again', async () => {
      strike(owners, append.sha, fault)
      const error = await failure(executor.run(append, { keys: { key }, args: { text: 'a' } }))
      expect(error).toMatchObject({ mayHaveRun: true, attempts: 1 })
      expect(await executor.run(append, { keys: { key }, args: { text: 'b' } })).toBe(
        moment === 'request' ? 1 : 2,
      )
    })
  })

  describeFaults('which %s, where requests carry idempotency keys', TIMEOUT_MS, (...fault) => {
    it('lets a command that reads, and one that is idempotent, come to their results', async () => {
      strike(owners, key, fault)
      expect(await executor.run(set, { keys: { key }, args: { value: 'once' } }, once)).toBe('OK')
      strike(owners, key, fault)
      expect(String(await executor.run(get, { keys: { key }, args: {} }, once))).toBe('once')
    })

    it('has an idempotent command tell what its first copy has changed', async () => {
      strike(owners, key, fault)
      expect(await executor.run(sadd, { keys: { key }, args: { member: 'm' } }, once)).toBe(true)
    })

    it('has a command that counts count once', async () => {
      strike(owners, key, fault)
      expect(await executor.run(incr, { keys: { key }, args: {} }, once)).toBe(1)
      expect(await stored()).toBe('1')
    })

    it('has a script that counts count once', async () => {
      strike(owners, key, fault)
      expect(await executor.run(append, { keys: { key }, args: { text: 'a' } }, once)).toBe(1)
      expect(await stored()).toBe('a')
    })

    it('returns bytes as they were', async () => {
      const value = Buffer.from([0xff, 0, 0x80, 0x41])
      await executor.run(set, { keys: { key }, args: { value } })
      strike(owners, key, fault)
      expect(await executor.run(getdel, { keys: { key }, args: {} }, once)).toEqual(value)
      expect(await executor.run(getdel, { keys: { key }, args: {} }, once)).toBeUndefined()
    })

    it('returns lists as they were, with what is absent in them', async () => {
      strike(owners, key, fault)
      expect(await executor.run(several, { keys: { key }, args: {} }, once)).toEqual([
        1,
        Buffer.from('\0'),
        undefined,
        [],
      ])
      expect(await stored()).toBe('1')
    })

    it('loses no digit of a large integer', async () => {
      await executor.run(set, { keys: { key }, args: { value: '9007199254740993' } })
      strike(owners, key, fault)
      const sum = await executor.run(incrby, { keys: { key }, args: { delta: '9000000000000000000' } }, once)
      expect(sum).toBe(9009007199254740993n)
    })

    it('returns what was removed, however large it is', async () => {
      const value = 'x'.repeat(500_000)
      await executor.run(set, { keys: { key }, args: { value } })
      strike(owners, key, fault)
      expect(String(await executor.run(getdel, { keys: { key }, args: {} }, once))).toBe(value)
      expect(await executor.run(get, { keys: { key }, args: {} })).toBeUndefined()
    })
  })

  it('does not keep what Redis refuses', async () => {
    await executor.run(set, { keys: { key }, args: { value: 'no number' } })
    const refused = await failure(executor.run(incr, { keys: { key }, args: {} }, once))
    expect(refused).toMatchObject({ code: 'COMMAND', command: 'INCR', mayHaveRun: false })
    const wrong = await failure(executor.run(sadd, { keys: { key }, args: { member: 'm' } }, once))
    expect(wrong).toMatchObject({ code: 'WRONG_TYPE', object: key, mayHaveRun: false })
  })

  it('loses no digit of a large integer in a hash', async () => {
    const hincrby = defineCommand('HINCRBY', {
      keys: ['key'],
      args: ['field', 'delta'],
      reply: int64,
      repeat: 'counting',
    })
    const add = (delta: string) => executor.run(hincrby, { keys: { key }, args: { field: 'f', delta } }, once)
    expect(await add('-9007199254740993')).toBe(-9007199254740993n)
    expect(await add('1')).toBe(-9007199254740992n)
  })

  it('removes the kept answers that no copy asks for', async () => {
    const own = new ConnectionExecutor(connection, resolveConfig(door.options({})))
    await own.run(incr, { keys: { key }, args: {} }, once)
    const kept = async () =>
      (
        await Promise.all(topology.nodes.map((node) => node.command('KEYS', `redisson__once:{${key}}:*`)))
      ).flat()
    expect(await kept()).not.toEqual([])
    await own.close(Deadline.after(1000))
    await eventually(async () => (await kept()).length === 0)
  })

  it.each([
    'OOM command not allowed when used memory > maxmemory.',
    'MISCONF Redis is configured to save RDB snapshots',
    "READONLY You can't write against a read only replica.",
    'CLUSTERDOWN The cluster is down',
    'LOADING Redis is loading the dataset in memory',
    'TRYAGAIN Multiple keys request during rehashing of slot',
  ])('sends a command that counts again after %s', async (words) => {
    strike(owners, key, [
      words,
      'request',
      (passing) => {
        passing.refuse(words)
      },
    ])
    expect(await executor.run(incr, { keys: { key }, args: {} })).toBe(1)
  })

  it('sends a command that counts as soon as there is a connection, if it could not be sent', async () => {
    await shut()
    const counted = executor.run(incr, { keys: { key }, args: {} })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    expect(await counted).toBe(1)
  })

  it('says that nothing has run if it could never be sent', async () => {
    await shut()
    const error = await failure(executor.run(incr, { keys: { key }, args: {} }))
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', mayHaveRun: false })
  })

  it('says of a later refusal that an earlier copy may have run', async () => {
    strike(owners, key, ['is cut off', 'reply', (passing) => passing.cut()])
    const wrong = executor.run(set, { keys: { key }, args: { value: 'once' } })
    for (const proxy of door.proxies)
      proxy.onRequest(
        key,
        (passing) => {
          passing.refuse('OOM command not allowed')
        },
        { times: 9 },
      )
    expect(await failure(wrong)).toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: true })
  })

  it('does not repeat what Redis refuses, which has not run', async () => {
    await executor.run(set, { keys: { key }, args: { value: 'no number' } })
    const refused = await failure(executor.run(incr, { keys: { key }, args: {} }))
    expect(refused).toMatchObject({ code: 'COMMAND', command: 'INCR', mayHaveRun: false })
    const wrong = await failure(executor.run(sadd, { keys: { key }, args: { member: 'm' } }))
    expect(wrong).toMatchObject({ code: 'WRONG_TYPE', object: key, mayHaveRun: false })
  })
})
