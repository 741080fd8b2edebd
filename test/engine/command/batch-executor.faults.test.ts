import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { bytes, integer, list, nullable, status } from '../../../src/command/operation/replies.js'
import { defineScript } from '../../../src/command/operation/script.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

const TIMEOUT_MS = 400

/** For what counts and no network fails, so that a slow machine replies to what is sent only once. */
const PATIENT = { timeoutMs: 20_000 }

const get = defineCommand('GET', { keys: ['key'], args: [], reply: nullable(bytes), repeat: 'safe' })
const set = defineCommand('SET', {
  keys: ['key'],
  args: ['value'],
  reply: status,
  repeat: 'idempotent',
  overwrites: true,
})
const incr = defineCommand('INCR', { keys: ['key'], args: [], reply: integer, repeat: 'counting' })
const push = defineCommand('RPUSH', { keys: ['key'], args: ['item'], reply: integer, repeat: 'counting' })
const all = defineCommand('LRANGE', { keys: ['key'], args: ['0', '-1'], reply: list(bytes), repeat: 'safe' })
const unlink = defineCommand('UNLINK', { keys: ['key'], args: [], reply: integer, repeat: 'idempotent' })
const pushByScript = defineScript('test/push', {
  lua: "return redis.call('rpush', KEYS[1], ARGV[1])",
  keys: ['key'],
  args: ['item'],
  reply: integer,
  repeat: 'counting',
})

describe.each(slottedTopologies)('a batch ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let connection: Connection
  let executor: ConnectionExecutor
  let name: string
  let names = 0
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] // of several nodes of a cluster

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    const config = resolveConfig(
      door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 5 }),
    )
    connection = await createConnection(config, new Emitter())
    executor = new ConnectionExecutor(connection, config)
  })

  beforeEach(async () => {
    name = `batch-${String(names++)}`
    await executor.run(get, { keys: { key: name }, args: {} })
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    for (const key of [name, ...keys.map(keyOf)]) await executor.run(unlink, { keys: { key }, args: {} })
  })

  afterAll(async () => {
    await executor.close(Deadline.after(1000))
    await connection.close()
    await door.stop()
  })

  const keyOf = (key: string) => `${name}-${key}`

  const items = async (key = name) => (await executor.run(all, { keys: { key }, args: {} })).map(String)

  it('sends nothing before it is executed, and then everything', async () => {
    const batch = executor.batch(PATIENT)
    const counted = keys.map((key) => batch.run(incr, { keys: { key: keyOf(key) }, args: {} }))
    await new Promise(setImmediate)
    expect(await executor.run(get, { keys: { key: keyOf('a') }, args: {} })).toBeUndefined()
    await batch.execute()
    expect(await Promise.all(counted)).toEqual(keys.map(() => 1))
  })

  it('runs the operations of one slot in their order, also scripts that no server knows yet', async () => {
    for (const node of topology.nodes) await node.command('SCRIPT', 'FLUSH')
    const batch = executor.batch(PATIENT)
    const pushed = [
      batch.run(push, { keys: { key: name }, args: { item: 1 } }),
      batch.run(pushByScript, { keys: { key: name }, args: { item: 2 } }),
      batch.run(push, { keys: { key: name }, args: { item: 3 } }),
      batch.run(pushByScript, { keys: { key: name }, args: { item: 4 } }),
    ]
    await batch.execute()
    expect(await Promise.all(pushed)).toEqual([1, 2, 3, 4])
    expect(await items()).toEqual(['1', '2', '3', '4'])
  })

  it('settles each operation by itself, and leaves no rejection unheard', async () => {
    await executor.run(set, { keys: { key: keyOf('a') }, args: { value: 'no number' } })
    const batch = executor.batch(PATIENT)
    const refused = batch.run(incr, { keys: { key: keyOf('a') }, args: {} })
    const counted = batch.run(incr, { keys: { key: keyOf('b') }, args: {} })
    await batch.execute()
    await new Promise(setImmediate)
    expect(await counted).toBe(1)
    await expect(refused).rejects.toMatchObject({ code: 'COMMAND', command: 'INCR', mayHaveRun: false })
  })

  it('refuses what comes after it was executed, and what waits for replicas', async () => {
    const batch = executor.batch()
    await batch.execute()
    const late = batch.run(incr, { keys: { key: name }, args: {} })
    await expect(late).rejects.toMatchObject({ code: 'NOT_IN_BATCH', mayHaveRun: false })
    await expect(executor.batch().runSynced()).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    expect(await executor.run(get, { keys: { key: name }, args: {} })).toBeUndefined()
  })

  describeFaults('of which a message %s', TIMEOUT_MS, (...fault) => {
    it('sends again in order what may be repeated', async () => {
      strike(door.proxies, name, fault)
      const batch = executor.batch()
      const written = [1, 2, 3].map((value) => batch.run(set, { keys: { key: name }, args: { value } }))
      await batch.execute()
      expect(await Promise.all(written)).toEqual(['OK', 'OK', 'OK'])
      expect(String(await executor.run(get, { keys: { key: name }, args: {} }))).toBe('3')
    })

    it('says of what counts that it may have run', async () => {
      strike(door.proxies, keyOf('a'), fault)
      const batch = executor.batch()
      const lost = batch.run(incr, { keys: { key: keyOf('a') }, args: {} })
      await batch.execute()
      await expect(lost).rejects.toMatchObject({ mayHaveRun: true, attempts: 1 })
    })

    it('has what counts count once, and in order, where requests carry idempotency keys', async () => {
      strike(door.proxies, name, fault)
      const batch = executor.batch({ exactlyOnce: true })
      const pushed = [1, 2, 3].map((item) => batch.run(push, { keys: { key: name }, args: { item } }))
      await batch.execute()
      expect(await Promise.all(pushed)).toEqual([1, 2, 3])
      expect(await items()).toEqual(['1', '2', '3'])
    })
  })

  it('sends again, in order, what Redis was not ready for at the end', async () => {
    const words = 'OOM command not allowed when used memory > maxmemory.'
    for (const proxy of door.proxies)
      proxy.onRequest(
        keyOf('a'),
        (passing) => {
          passing.refuse(words)
        },
        { times: 2 },
      )
    const batch = executor.batch(PATIENT)
    const counted = ['b', 'a', 'a'].map((key) => batch.run(incr, { keys: { key: keyOf(key) }, args: {} }))
    await batch.execute()
    expect(await Promise.all(counted)).toEqual([1, 1, 2])
  })

  it('runs a script of which the first copy was refused before Redis has read it', async () => {
    for (const node of topology.nodes) await node.command('SCRIPT', 'FLUSH')
    const [forbidden, other] = [`{${name}}:forbidden`, `{${name}}:other`]
    for (const proxy of door.proxies)
      proxy.onRequest(forbidden, (passing) => {
        passing.refuse('NOPERM this user has no permissions to access one of the keys used as arguments')
      })
    const batch = executor.batch(PATIENT)
    const refused = batch.run(pushByScript, { keys: { key: forbidden }, args: { item: 1 } })
    const first = batch.run(pushByScript, { keys: { key: name }, args: { item: 2 } })
    const read = batch.run(get, { keys: { key: other }, args: {} })
    const second = batch.run(pushByScript, { keys: { key: name }, args: { item: 3 } })
    await batch.execute()
    await expect(refused).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: false })
    expect(await Promise.all([first, read, second])).toEqual([1, undefined, 2])
    expect(await items()).toEqual(['2', '3'])
  })
})
