import { AsyncLocalStorage } from 'node:async_hooks'
import { on, once, type EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { onFreePorts } from '../../support/launch/free-ports.js'
import { addressOf } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startProxy } from '../../support/proxy.js'
import { certificate, openTlsDoor } from '../../support/tls-door.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const [server] = single.nodes
const url = (suffix = '') => `redis://${addressOf(server)}${suffix}`

/** What every client can do, however it got there. */
async function expectWorking(client: RedissonClient, name = 'reached'): Promise<void> {
  const hold = await client.getLock(name).acquire()
  const waiting = client.getLock(name).acquire()
  await hold.unlock()
  await (await waiting).unlock()
}

const clientsOf = async (name: string): Promise<string[]> =>
  String(await server.command('CLIENT', 'LIST'))
    .split('\n')
    .filter((line) => line.includes(` name=${name} `))

describe('a client', () => {
  noLeaks(single)

  it('reaches a single server by its address', async () => {
    await using client = await Redisson.create({ singleServerConfig: { address: url() } })
    await expectWorking(client)
  })

  it('reaches a single server by its URL alone', async () => {
    await using client = await Redisson.create(url())
    await expectWorking(client)
  })

  it('uses the database that is set', async () => {
    await using client = await Redisson.create(url('/3'))
    const hold = await client.getLock('in-three').acquire()
    const other = new Redis(server.port, server.host, { db: 3 })
    expect(await other.keys('*')).toEqual(['in-three'])
    other.disconnect()
    await hold.unlock()
  })

  it('keeps the process alive until it is shut down', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
    const before = sockets()
    const client = await Redisson.create(url())
    expect(sockets()).toBeGreaterThan(before)
    await client.shutdown()
    await eventually(() => sockets() <= before)
  })

  it('reads its settings from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ioredisson-'))
    const file = join(folder, 'redisson.yaml')
    writeFileSync(file, `singleServerConfig:\n  address: "${url()}"\n  clientName: from-a-file\n`)
    await using client = await Redisson.create(file)
    rmSync(folder, { recursive: true })
    await expectWorking(client)
    expect((await clientsOf('from-a-file')).length).toBe(2)
  })

  it('says its name and logs in', async () => {
    await server.command('ACL', 'SETUSER', 'alice', 'on', '>secret', '~*', '&*', '+@all')
    const client = await Redisson.create({
      singleServerConfig: {
        address: url(),
        username: 'alice',
        password: 'secret',
        clientName: 'alice-in-test',
      },
    })
    await expectWorking(client)
    const lines = await clientsOf('alice-in-test')
    expect(lines.map((line) => / user=(\S+)/.exec(line)?.[1])).toEqual(['alice', 'alice'])
    await client.shutdown()
    await eventually(async () => (await clientsOf('alice-in-test')).length === 0)
    await server.command('ACL', 'DELUSER', 'alice')
  })

  it('speaks TLS, and checks the certificate', async () => {
    await using door = await openTlsDoor(server)
    const address = `rediss://127.0.0.1:${door.port}`
    const client = await Redisson.create({ singleServerConfig: { address }, tls: { ca: certificate } })
    await expectWorking(client)
    await client.shutdown()
    await expect(
      Redisson.create({ singleServerConfig: { address, retryAttempts: 0 } }),
    ).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      mayHaveRun: false,
      message: expect.stringContaining('certificate'),
    })
  })

  it('takes over the settings of a client of ioredis, and leaves that alone', async () => {
    const theirs = new Redis(server.port, server.host, { connectionName: 'theirs', db: 2 })
    const client = await Redisson.create({ ioredis: theirs })
    await expectWorking(client)
    expect((await clientsOf('theirs')).map((line) => / db=(\d)/.exec(line)?.[1])).toEqual(['2', '2', '2'])
    await client.shutdown()
    expect(await theirs.ping()).toBe('PONG')
    theirs.disconnect()
  })

  it('connects as a master with slaves', async () => {
    await using client = await Redisson.create({
      masterSlaveServersConfig: { masterAddress: url(), slaveAddresses: ['redis://127.0.0.1:1'] },
    })
    await expectWorking(client)
  })
})

describe('a client of several servers', () => {
  noLeaks(sentinel)
  noLeaks(cluster)

  it('finds the master among replicated servers', async () => {
    const nodeAddresses = sentinel.nodes.map((node) => `redis://${addressOf(node)}`).reverse()
    await using client = await Redisson.create({ replicatedServersConfig: { nodeAddresses } })
    await expectWorking(client)
  })

  it('logs in at sentinels', async () => {
    await Promise.all(
      sentinel.sentinels.map((node) =>
        node.command('ACL', 'SETUSER', 'watcher', 'on', '>secret', '~*', '&*', '+@all'),
      ),
    )
    await using client = await Redisson.create(
      sentinel.options({ sentinelUsername: 'watcher', sentinelPassword: 'secret' }),
    )
    await expectWorking(client)
    const lists = await Promise.all(sentinel.sentinels.map((node) => node.command('CLIENT', 'LIST')))
    expect(lists.join()).toContain(' user=watcher ')
  })

  it('finds a cluster although the name of one of its nodes cannot be resolved', async () => {
    const nodeAddresses = [
      'redis://no-such-host.invalid:7000',
      ...cluster.nodes.map((node) => `redis://${addressOf(node)}`),
    ]
    await using client = await Redisson.create({ clusterServersConfig: { nodeAddresses } })
    await expectWorking(client)
  })

  it('takes over the settings of a cluster of ioredis, and leaves that alone', async () => {
    const theirs = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })))
    const client = await Redisson.create({ ioredis: theirs })
    await expectWorking(client)
    await client.shutdown()
    expect(await theirs.ping()).toBe('PONG')
    theirs.disconnect()
  })

  it('takes over the settings of a client of ioredis that asks sentinels', async () => {
    const sentinels = sentinel.sentinels.map(({ host, port }) => ({ host, port }))
    const theirs = new Redis({ sentinels, name: sentinel.masterName, lazyConnect: true })
    await using client = await Redisson.create({ ioredis: theirs })
    await expectWorking(client)
  })
})

describe('a client that cannot connect', () => {
  const nowhere = () => onFreePorts(1, ([port = 0]) => Promise.resolve(`redis://127.0.0.1:${port}`))

  const places: [string, (address: string) => RedissonOptions][] = [
    ['a single server', (address) => ({ singleServerConfig: { address, retryAttempts: 2 } })],
    [
      'sentinels',
      (address) => ({
        sentinelServersConfig: {
          masterName: 'm',
          sentinelAddresses: [address],
          retryAttempts: 2,
          connectTimeout: 10_000,
        },
      }),
    ],
    [
      'replicated servers',
      (address) => ({ replicatedServersConfig: { nodeAddresses: [address], retryAttempts: 2 } }),
    ],
    ['a cluster', (address) => ({ clusterServersConfig: { nodeAddresses: [address], retryAttempts: 2 } })],
  ]

  it.each(places)('to %s says so, and leaves nothing that keeps the process alive', async (_, options) => {
    const before = process.getActiveResourcesInfo()
    await expect(Redisson.create(options(await nowhere()))).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringMatching(/^Could not connect to Redis.*ECONNREFUSED|unreachable|None of/),
    })
    await eventually(() => process.getActiveResourcesInfo().length <= before.length)
  })

  it('says at once that it was refused', async () => {
    const options = {
      singleServerConfig: { address: url(), username: 'unknown', password: 'wrong', retryAttempts: 100 },
    }
    await expect(Redisson.create(options)).rejects.toThrow('WRONGPASS')
  })
})

describe('the events of a client', () => {
  it('tell of connections that broke and came back, outside the context of the listener', async () => {
    const requests = new AsyncLocalStorage<string>()
    const proxy = await startProxy(server)
    const heard: [string, string, string | undefined][] = []
    const address = `redis://${addressOf(proxy)}`
    await requests.run('a request', async () => {
      const client = await Redisson.create({ singleServerConfig: { address, reconnectionDelay: 10 } })
      for (const event of ['connected', 'disconnected', 'reconnected'] as const) {
        client.on(event, ({ purpose }) => heard.push([event, purpose, requests.getStore()]))
      }
      await expectWorking(client)
      proxy.cut()
      await eventually(() => heard.filter(([event]) => event === 'reconnected').length === 2)
      await client.shutdown()
    })
    await proxy.close()
    const expected = ['connected', 'disconnected', 'reconnected'].flatMap((event) => [
      [event, 'commands', undefined],
      [event, 'messages', undefined],
    ])
    expect(heard.sort()).toEqual(expected.sort())
  })

  it('are heard once by those who want that, and by `events.once()` of Node', async () => {
    await using client = await Redisson.create(single.options())
    const heard: string[] = []
    const left = () => void heard.push('left')
    client.once('lockLost', ({ lock }) => void heard.push(lock))
    client.once('lockLost', left).off('lockLost', left)
    expect(client.listenerCount('lockLost')).toBe(1)
    const emitter = client as unknown as EventEmitter
    const next = once(emitter, 'lockLost')
    const given = new AbortController()
    const none = once(emitter, 'lockLost', { signal: given.signal })
    given.abort()
    await expect(none).rejects.toThrow('aborted')
    expect(client.listenerCount('lockLost')).toBe(2)
    for (const name of ['first', 'second']) {
      await client.getLock(name).acquire()
      await client.getLock(name).forceUnlock()
    }
    expect(await next).toMatchObject([{ lock: 'first', reason: 'forced' }])
    expect(heard).toEqual(['first'])
    expect(client.listenerCount('lockLost')).toBe(0)
    await server.command('FLUSHALL')
  })

  it('do not include `error`, for which there is advice', async () => {
    await using client = await Redisson.create(single.options())
    const listen = () => client.on('error' as 'lockLost', () => undefined)
    expect(listen).toThrow(RangeError)
    expect(listen).toThrow('connection errors come by `disconnected`')
    expect(() => on(client as unknown as EventEmitter, 'lockLost')).toThrow('use client.on()')
  })

  it('are named where one is misspelt', async () => {
    await using client = await Redisson.create(single.options())
    expect(() => client.on('lockLoss' as 'lockLost', () => undefined)).toThrow(
      "Expected `event` to be one of connected, disconnected, reconnected, lockLost, releaseDelayed, got 'lockLoss'",
    )
  })

  it('are not taken from all listeners where none is named', async () => {
    await using client = await Redisson.create(single.options())
    const listener = () => undefined
    client.on('lockLost', listener)
    const untyped = client as unknown as { off(event: string): void }
    expect(() => {
      untyped.off('lockLost')
    }).toThrow('Expected `listener` to be a function, got undefined')
    expect(client.off('lockLost', listener).listenerCount('lockLost')).toBe(0)
  })

  it('do not let a listener that throws silence the others', async () => {
    const client = await Redisson.create(single.options())
    const heard: string[] = []
    const mistakes: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.once('uncaughtException', (error) => mistakes.push(error))
    client.on('lockLost', () => {
      throw new Error('a mistake')
    })
    client.on('lockLost', ({ lock }) => heard.push(lock))
    await client.getLock('forced').acquire()
    await client.getLock('forced').forceUnlock()
    await eventually(() => mistakes.length === 1)
    for (const listener of listeners) process.on('uncaughtException', listener)
    expect(heard).toEqual(['forced'])
    await client.shutdown()
    await server.command('FLUSHALL')
  })
})
