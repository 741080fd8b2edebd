import { once, type EventEmitter } from 'node:events'
import { Cluster, Command, Redis, type ClusterOptions, type RedisOptions } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { addressOf } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startProxy } from '../../support/proxy.js'
import { cluster, single } from '../../support/topologies.js'

const [server] = single.nodes
type ServerOptions = Omit<RedisOptions, 'replyMapping'> & { readonly replyMapping?: 'resp3' }
type NodesOptions = Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions?: ServerOptions }

const SAFE: ServerOptions = { maxRetriesPerRequest: 0 }

const redis = (options: ServerOptions = SAFE) => new Redis(server.port, server.host, options)
const clusterOf = (options: NodesOptions = { retryDelayOnFailover: 0 }) =>
  new Cluster(
    cluster.nodes.map(({ host, port }) => ({ host, port })),
    options,
  )

/** How many listeners there are, by event. */
const listeners = (emitter: EventEmitter) =>
  Object.fromEntries(emitter.eventNames().map((name) => [String(name), emitter.listenerCount(name)]))

async function expectWorking(client: RedissonClient, name: string): Promise<void> {
  const hold = await client.getLock(name).acquire()
  const waiting = client.getLock(name).acquire()
  await hold.unlock()
  await (await waiting).unlock()
}

/** Sends a command in a way that the library cannot see. */
async function unseen(shared: Redis, name: string): Promise<void> {
  await (Redis.prototype.sendCommand.call(shared, new Command(name)) as Promise<unknown>)
}

describe('a client of ioredis that is shared', () => {
  noLeaks(single)
  noLeaks(cluster)

  it('is refused where it is at another database than its settings say', async () => {
    const shared = redis()
    await shared.select(3)
    await expect(Redisson.create({ ioredis: shared, share: true })).rejects.toMatchObject({ code: 'CONFIG' })
    shared.disconnect()
  })

  it('lets nothing through while the program has selected another database', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const hold = await client.getLock('selected').acquire()
    await shared.select(3)
    await expect(client.getLock('selected').tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await shared.select(0)
    await hold.unlock()
    await client.shutdown()
    shared.disconnect()
  })

  const ways: readonly [string, number, (shared: Redis) => Promise<unknown>][] = [
    ["call('select')", 0, (shared) => shared.call('select', 3)],
    ["call('SELECT')", 0, (shared) => shared.call('SELECT', '3')],
    ['a pipeline', 0, (shared) => shared.pipeline().call('Select', 3).exec()],
    ['a transaction', 0, (shared) => shared.multi().call('SELECT', 3).exec()],
    ["call('RESET')", 3, (shared) => shared.call('RESET')],
  ]

  it.each(ways)('sees that another database was selected by %s', async (_, db, select) => {
    const shared = redis({ ...SAFE, db })
    const client = await Redisson.create({ ioredis: shared, share: true })
    await select(shared)
    await expect(client.getLock('selected').tryAcquire()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringContaining('another database') as unknown,
    })
    await shared.call('SELECT', db)
    await (await client.getLock('selected').acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it.each(ways)('is refused where it has left its database before by %s', async (_, db, select) => {
    const shared = redis({ ...SAFE, db })
    await select(shared)
    await expect(Redisson.create({ ioredis: shared, share: true })).rejects.toMatchObject({ code: 'CONFIG' })
    expect(Object.hasOwn(shared, 'sendCommand')).toBe(false)
    shared.disconnect()
  })

  it('takes a refused SELECT for none, and forgets with the connection what was selected', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await expect(shared.call('SELECT', 1_000_000)).rejects.toThrow()
    await (await client.getLock('selected').acquire()).unlock()
    await shared.call('SELECT', 3)
    shared.disconnect(true)
    await eventually(() => shared.status === 'ready')
    await (await client.getLock('selected').acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('believes the SELECT of a transaction once that has run, and not where Redis aborts it', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const lock = client.getLock('selected')
    await shared.call('SELECT', 3)
    await shared.watch('watched')
    const touched = redis({ ...SAFE, db: 3 })
    await touched.set('watched', '1')
    expect(await shared.multi().call('SELECT', '0').exec()).toBeNull()
    await expect(lock.tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await shared.multi().call('SELECT', '0').exec()
    await (await lock.acquire()).unlock()
    await shared.multi({ pipeline: false })
    await shared.call('SELECT', '3')
    await shared.discard()
    await (await lock.acquire()).unlock()
    await client.shutdown()
    await touched.del('watched')
    touched.disconnect()
    shared.disconnect()
  })

  it('knows that a transaction is over which Redis has refused to run', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await expect(shared.multi().call('nosuch').exec()).rejects.toThrow('EXECABORT')
    await (await client.getLock('selected').acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('sends nothing into a transaction of the program', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const permits = client.getSemaphore('in-multi')
    await permits.trySetPermits(3)
    await shared.multi({ pipeline: false })
    await expect(permits.tryAcquire()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringContaining('MULTI') as unknown,
    })
    await shared.set('in-multi-too', '1')
    expect(await shared.exec()).toEqual([[null, 'OK']])
    expect(await permits.availablePermits()).toBe(3)
    await expect(shared.call('MULTI', 'surplus')).rejects.toThrow()
    expect(await permits.tryAcquire()).toBe(true)
    await client.shutdown()
    shared.disconnect()
    await server.command('DEL', 'in-multi', 'in-multi-too')
  })

  it('serves once a short transaction of the program is over', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await shared.multi({ pipeline: false })
    const acquiring = client.getLock('after-multi').acquire()
    await shared.exec()
    await (await acquiring).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('takes a request for lost that was queued in a transaction, and undoes it when that has run', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const permits = client.getSemaphore('in-multi')
    await permits.trySetPermits(3)
    await (await client.getLock('warm').acquire()).unlock()
    expect(await permits.tryAcquire(1)).toBe(true) // so that the server knows the script, and not the one that undoes
    await permits.release(1)
    await unseen(shared, 'MULTI')
    await expect(permits.tryAcquire()).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('MULTI') as unknown,
    })
    await unseen(shared, 'EXEC')
    await eventually(async () => (await server.command('GET', 'in-multi')) === '3')
    await client.shutdown()
    expect(await server.command('GET', 'in-multi')).toBe('3')
    shared.disconnect()
    await server.command('DEL', 'in-multi')
  })

  it('leaves no mark of a run that was queued in a transaction', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const once = client.getOnce('in-multi', { ttlMs: 60_000 })
    await once.run(() => 'ran', { fire: 'warm' })
    await unseen(shared, 'MULTI')
    await expect(once.run(() => 'ran', { fire: 'queued' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await unseen(shared, 'EXEC')
    expect(await once.run(() => 'ran', { fire: 'queued' })).toEqual({ ran: true, value: 'ran' })
    await client.shutdown()
    shared.disconnect()
    await server.command('FLUSHALL')
  })

  it('sends nothing into a transaction at a node of a cluster', async () => {
    const theirs = clusterOf()
    const client = await Redisson.create({ ioredis: theirs, share: true })
    const masters = theirs.nodes('master')
    await Promise.all(masters.map((node) => node.multi({ pipeline: false })))
    await expect(client.getLock('in-multi').tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    expect(await Promise.all(masters.map((node) => node.exec()))).toEqual(masters.map(() => []))
    await expectWorking(client, 'in-multi')
    await client.shutdown()
    theirs.disconnect()
  })

  it('leaves a method alone that the program puts around it', async () => {
    const shared = redis()
    const one = await Redisson.create({ ioredis: shared, share: true })
    const other = await Redisson.create({ ioredis: shared, share: true })
    await one.shutdown()
    await shared.call('SELECT', 3)
    await expect(other.getLock('selected').tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await other.shutdown()
    expect(await shared.ping()).toBe('PONG')
    shared.disconnect()
  })

  it('is guarded once, however many clients share it', async () => {
    const shared = redis()
    const one = await Redisson.create({ ioredis: shared, share: true })
    const guarded = Object.getOwnPropertyDescriptor(shared, 'sendCommand')
    const other = await Redisson.create({ ioredis: shared, share: true })
    expect(Object.getOwnPropertyDescriptor(shared, 'sendCommand')).toEqual(guarded)
    await one.shutdown()
    expect(Object.getOwnPropertyDescriptor(shared, 'sendCommand')).toEqual(guarded)
    await other.shutdown()
    expect(Object.hasOwn(shared, 'sendCommand')).toBe(false)
    shared.disconnect()
  })

  it('may ask for a database that it does not get', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await expect(shared.select(99)).rejects.toThrow('out of range')
    expect(shared.condition?.select).toBe(0)
    await expectWorking(client, 'refused-select')
    await client.shutdown()
    shared.disconnect()
  })

  const refusedByIoredis: readonly [string, (shared: Redis) => Promise<unknown>][] = [
    ['MULTI', (shared) => shared.multi({ pipeline: false })],
    ['SELECT', (shared) => shared.select(1)],
    ["call('SELECT')", (shared) => shared.call('SELECT', 1)],
    ['a transaction that selects', (shared) => shared.multi().call('SELECT', 1).exec()],
  ]

  it.each(refusedByIoredis)('takes %s for unsent where ioredis has refused it', async (_, send) => {
    const shared = redis({ ...SAFE, enableOfflineQueue: false, lazyConnect: true })
    await shared.connect()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const away = once(shared, 'reconnecting')
    shared.disconnect(true)
    await away
    await expect(send(shared)).rejects.toThrow("Stream isn't writeable")
    await eventually(() => shared.status === 'ready')
    expect(await shared.client('INFO')).toMatch(/ db=0 .* multi=-1 /)
    await (await client.getLock('refused').acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('sends nothing into a transaction that has waited for the connection', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const lock = client.getLock('late-multi')
    const away = once(shared, 'reconnecting')
    shared.disconnect(true)
    await away
    const begun = shared.multi({ pipeline: false })
    await expect(lock.tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await begun
    expect(await shared.exec()).toEqual([])
    await (await lock.acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  const inOneTick: readonly [string, (shared: Redis) => Promise<unknown>[]][] = [
    [
      'a refused SELECT',
      (shared) => [shared.call('SELECT', 99), shared.multi({ pipeline: false }), shared.exec()],
    ],
    ['two refused SELECT', (shared) => [shared.select(99), shared.select(98)]],
    ['a refused SELECT before one that is not', (shared) => [shared.select(99), shared.select(0)]],
    [
      'a MULTI within MULTI',
      (shared) => [shared.multi({ pipeline: false }), shared.call('MULTI'), shared.call('DISCARD')],
    ],
    ['a refused MULTI', (shared) => [shared.call('MULTI', 'surplus'), shared.call('SELECT', 0)]],
    [
      'a SELECT that was discarded',
      (shared) => [shared.multi({ pipeline: false }), shared.select(5), shared.discard()],
    ],
    [
      'an EXECABORT',
      (shared) => [
        shared.multi({ pipeline: false }),
        shared.call('SELECT', 5),
        shared.call('nosuch'),
        shared.call('EXEC'),
        shared.call('SELECT', 99),
      ],
    ],
    [
      'a SELECT that only EXEC refuses',
      (shared) => [
        shared.multi({ pipeline: false }),
        shared.set('only-exec', 1),
        shared.call('SELECT', 99),
        shared.del('only-exec'),
        shared.exec(),
      ],
    ],
    [
      'one of several SELECT that EXEC refuses',
      (shared) => [
        shared.call('SELECT', 5),
        shared
          .multi()
          .call('SELECT', '00')
          .call('SELECT', 3)
          .call('COPY', 'a', 'b', 'DB', 99)
          .call('SELECT', 0)
          .call('SELECT', 99)
          .exec(),
      ],
    ],
    ['RESET', (shared) => [shared.call('SELECT', 5), shared.call('MULTI'), shared.call('RESET')]],
  ]

  it.each(inOneTick)('knows what is left of %s and what follows at once', async (_, send) => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await Promise.allSettled(send(shared))
    expect(await shared.client('INFO')).toMatch(/ db=0 .* multi=-1 /)
    await (await client.getLock('at-once').acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  const backInVain: readonly [string, (shared: Redis) => Promise<unknown>[]][] = [
    [
      'a MULTI within a transaction that selects',
      (shared) => [
        shared.multi({ pipeline: false }),
        shared.call('SELECT', 1),
        shared.call('MULTI'),
        shared.call('EXEC'),
      ],
    ],
    [
      'a transaction whose last SELECT only EXEC refuses',
      (shared) => [shared.multi().call('SELECT', 3).call('SELECT', 99).exec()],
    ],
    ['SELECT 00', (shared) => [shared.call('SELECT', 1), shared.call('SELECT', '00')]],
    ['SELECT 0 with a surplus', (shared) => [shared.call('SELECT', 1), shared.call('SELECT', 0, 'x')]],
    ['RESET with a surplus', (shared) => [shared.call('SELECT', 1), shared.call('RESET', 'x')]],
    ['DISCARD with a surplus', (shared) => [shared.call('MULTI'), shared.call('DISCARD', 'x')]],
  ]

  it.each(backInVain)('sends nothing after %s, before Redis has refused it', async (_, send) => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const lock = client.getLock('in-vain')
    await (await lock.acquire()).unlock() // so that the script is known
    const sent = Promise.allSettled(send(shared))
    await expect(lock.tryAcquire()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await sent
    await shared.call('DISCARD').catch(() => undefined)
    await shared.select(0)
    await (await lock.acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('knows that a transaction is open where Redis has refused to discard it, until the connection ends', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    const lock = client.getLock('not-discarded')
    await shared.multi({ pipeline: false })
    await expect(shared.call('DISCARD', 'surplus')).rejects.toThrow('wrong number of arguments')
    await expect(lock.tryAcquire()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringContaining('MULTI') as unknown,
    })
    const away = once(shared, 'reconnecting')
    shared.disconnect(true)
    await away
    await (await lock.acquire()).unlock()
    await client.shutdown()
    shared.disconnect()
  })

  it('leaves ioredis at its database after several SELECT that Redis refuses', async () => {
    const shared = redis()
    const client = await Redisson.create({ ioredis: shared, share: true })
    await Promise.allSettled([shared.select(99), shared.select(98)])
    expect(shared.condition?.select).toBe(0)
    await Promise.allSettled([shared.select(99), shared.select(3)])
    expect(shared.condition?.select).toBe(3)
    await client.shutdown()
    shared.disconnect()
  })

  it('carries the commands, and is left as it was', async () => {
    const theirs = redis({ ...SAFE, connectionName: 'shared' })
    await theirs.ping()
    const before = listeners(theirs)
    const client = await Redisson.create({ ioredis: theirs, share: true })
    await expectWorking(client, 'shared')
    const list = String(await server.command('CLIENT', 'LIST'))
    expect(list.match(/ name=shared /g)).toHaveLength(2) // theirs, and one that listens
    expect(listeners(theirs)).not.toEqual(before)
    await client.shutdown()
    expect(listeners(theirs)).toEqual(before)
    expect(Object.hasOwn(theirs, 'sendCommand')).toBe(false)
    expect(await theirs.ping()).toBe('PONG')
    theirs.disconnect()
  })

  it('may not be connected yet', async () => {
    const theirs = redis({ ...SAFE, lazyConnect: true })
    await using client = await Redisson.create({ ioredis: theirs, share: true })
    await expectWorking(client, 'shared')
    await client.shutdown()
    expect(await theirs.ping()).toBe('PONG')
    theirs.disconnect()
  })

  it('may be a cluster', async () => {
    const theirs = clusterOf()
    await theirs.ping()
    await Promise.all(theirs.nodes('master').map((node) => node.ping())) // each is connected then
    const all = () => [theirs, ...theirs.nodes()].map((each) => listeners(each))
    const before = all()
    const client = await Redisson.create({ ioredis: theirs, share: true })
    const another = await Redisson.create({ ioredis: theirs, share: true })
    await expectWorking(client, 'shared')
    await client.shutdown()
    await expectWorking(another, 'shared')
    await another.shutdown()
    expect(all()).toEqual(before)
    expect(theirs.nodes().map((node) => Object.hasOwn(node, 'asking'))).toEqual(
      theirs.nodes().map(() => false),
    )
    expect(await theirs.ping()).toBe('PONG')
    theirs.disconnect()
  })

  const beginnings: readonly [how: string, options: NodesOptions][] = [
    ['waits for its first command', { lazyConnect: true }],
    ['is connecting', {}],
    ['is connecting, and keeps nothing until it is connected', { enableOfflineQueue: false }],
    ['is connecting to nodes that keep nothing', { redisOptions: { enableOfflineQueue: false } }],
  ]

  it.each(beginnings)('may be a cluster that %s', async (_, options) => {
    const theirs = clusterOf({ retryDelayOnFailover: 0, ...options })
    const client = await Redisson.create({ ioredis: theirs, share: true })
    await expectWorking(client, 'shared')
    const values = await Promise.all(
      Array.from({ length: 20 }, (__, n) => client.getBucket(`shared-${String(n)}`).getAndDelete()),
    )
    expect(new Set(values)).toEqual(new Set([undefined]))
    await client.shutdown()
    theirs.disconnect()
  })

  it.each(beginnings)('may be a cluster of a lazy client that %s', async (_, options) => {
    const theirs = clusterOf({ retryDelayOnFailover: 0, ...options })
    const client = await Redisson.create({ ioredis: theirs, share: true, lazyInitialization: true })
    await expectWorking(client, 'shared')
    await client.shutdown()
    theirs.disconnect()
  })

  it('is not dropped when its server is silent, and counts a command once', async () => {
    await using proxy = await startProxy(server)
    const theirs = new Redis(proxy.port, proxy.host, SAFE)
    const client = await Redisson.create({ ioredis: theirs, share: true })
    const permits = client.getSemaphore('shared-permits')
    await permits.addPermits(2) // so that the server knows the script
    proxy.stall('replies')
    const added = permits.addPermits(1)
    await eventually(async () => (await server.command('GET', 'shared-permits')) === '3')
    proxy.cut()
    proxy.resume()
    await added
    expect(await permits.availablePermits()).toBe(3)
    await permits.delete()
    await client.shutdown()
    expect(theirs.status).toBe('ready')
    theirs.disconnect()
    await server.command('FLUSHALL')
  })

  it('is refused after it was closed', async () => {
    const theirs = redis()
    await theirs.quit()
    await eventually(() => theirs.status === 'end')
    await expect(Redisson.create({ ioredis: theirs, share: true })).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
    })
  })

  it.each<[string, ServerOptions]>([
    ['autoResendUnfulfilledCommands', {}],
    ['stringNumbers', { ...SAFE, stringNumbers: true }],
    ['readOnly', { ...SAFE, readOnly: true }],
    ['commandTimeout', { ...SAFE, commandTimeout: 100 }],
    ['keyPrefix', { ...SAFE, keyPrefix: 'a:' }],
    ['replyMapping', { ...SAFE, replyMapping: 'resp3' }],
    ['role', { ...SAFE, role: 'slave' }],
  ])('must not have an unsafe setting: %s', async (name, options) => {
    const theirs = redis({ ...options, lazyConnect: true })
    await expect(Redisson.create({ ioredis: theirs, share: true })).rejects.toMatchObject({
      code: 'CONFIG',
      key: `ioredis.options.${name}`,
    })
  })

  it.each<[string, NodesOptions]>([
    ['retryDelayOnFailover', {}],
    ['clusterNodeRetryStrategy', { retryDelayOnFailover: 0, clusterNodeRetryStrategy: () => 10 }],
    ['redisOptions.stringNumbers', { retryDelayOnFailover: 0, redisOptions: { stringNumbers: true } }],
  ])('must not have an unsafe setting of a cluster: %s', async (name, options) => {
    const theirs = clusterOf({ ...options, lazyConnect: true })
    await expect(Redisson.create({ ioredis: theirs, share: true })).rejects.toMatchObject({
      code: 'CONFIG',
      key: `ioredis.options.${name}`,
    })
  })

  it.each<[string, ServerOptions]>([
    ['pipelining', { ...SAFE, enableAutoPipelining: true }],
    ['no offline queue', { ...SAFE, enableOfflineQueue: false, lazyConnect: true }],
    ['no repetition', { autoResendUnfulfilledCommands: false }],
  ])('may have %s', async (_, options) => {
    const theirs = redis(options)
    await using client = await Redisson.create({ ioredis: theirs, share: true })
    await expectWorking(client, 'shared')
    await client.shutdown()
    theirs.disconnect()
  })

  it('is nothing else', async () => {
    const options = { singleServerConfig: { address: `redis://${addressOf(server)}` }, share: true }
    await expect(Redisson.create(options as never)).rejects.toMatchObject({ code: 'CONFIG', key: 'share' })
  })
})

describe('a template', () => {
  it.each<[string, ServerOptions]>([
    ['numbers as text', { stringNumbers: true }],
    ['the commands of others', { monitor: true }],
    ['no offline queue', { enableOfflineQueue: false }],
    ['replies of its own', { replyMapping: 'resp3' }],
    ['a short time for commands', { commandTimeout: 1, socketTimeout: 1 }],
  ])('may have %s', async (_, options) => {
    const theirs = redis({ ...options, lazyConnect: true })
    await using client = await Redisson.create({ ioredis: theirs })
    await expectWorking(client, 'template')
    expect(await client.getLock('template').remainTimeToLive()).toBe(-2)
  })

  it('may be a cluster with numbers as text', async () => {
    const theirs = clusterOf({ lazyConnect: true, redisOptions: { stringNumbers: true } })
    await using client = await Redisson.create({ ioredis: theirs })
    await expectWorking(client, 'template')
  })
})
