import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Redisson, type RedissonClient, type RedissonOptions } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

/** What is no reply of Redis, although parts of it look like one. */
const GARBAGE: readonly (readonly [name: string, bytes: string])[] = [
  ['HTTP', 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\ncanary'],
  ['the greeting of a mail server', '+OK canary ready\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n'],
  ['bytes of anything', '\0\u0001\u0002\u00ff\r\n'],
  ['replies to no request', '$-1\r\n'.repeat(30)],
  ['a message without a name', '>1\r\n_\r\n'.repeat(5)],
  ['a message without a channel', '>1\r\n$9\r\nsubscribe\r\n'.repeat(5)],
  ['lists without an end', '*-5\r\n'.repeat(10)],
]

const HURRIED = { retryAttempts: 1, reconnectionDelay: 10 }

const SERVERS: readonly (readonly [name: string, (address: string) => RedissonOptions])[] = [
  ['a single server', (address) => ({ singleServerConfig: { address, ...HURRIED } })],
  [
    'a sentinel',
    (address) => ({
      sentinelServersConfig: { masterName: 'm', sentinelAddresses: [address], ...HURRIED },
    }),
  ],
  ['a cluster', (address) => ({ clusterServersConfig: { nodeAddresses: [address], ...HURRIED } })],
  [
    'a replicated server',
    (address) => ({ replicatedServersConfig: { nodeAddresses: [address], ...HURRIED } }),
  ],
]

/** What ends a process. */
const uncaught: unknown[] = []

beforeEach(() => {
  uncaught.length = 0
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const others = process.listeners(event as 'uncaughtException')
    const note = (error: unknown) => void uncaught.push(error)
    process.removeAllListeners(event).on(event, note)
    onTestFinished(() => {
      process.off(event, note)
      for (const other of others) process.on(event, other)
    })
  }
})

afterEach(() => {
  expect(uncaught).toEqual([])
})

describe('a client whose server is no Redis', () => {
  describe.each(GARBAGE)('and says %s', (_, bytes) => {
    let server: Server
    let address: string

    beforeEach(async () => {
      server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.on('data', () => socket.write(bytes, 'latin1'))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
    })

    afterEach(() => server.close())

    it.each(SERVERS)('as %s does not start, and says so', async (_, options) => {
      const failed = Redisson.create(options(`redis://${address}`))
      const words = `at ${address}: the server does not reply in the protocol of Redis`
      await expect(failed).rejects.toMatchObject({
        code: 'CONNECTION_LOST',
        message: expect.stringContaining(words) as string,
      })
      await expect(failed).rejects.not.toThrow(/canary/)
    })
  })
})

describe('a client whose connections carry garbage', () => {
  it.each(GARBAGE)('drops those to a single server, and goes on (%s)', async (_, bytes) => {
    const door = await proxied(single)
    onTestFinished(() => door.stop())
    await goesOn(door, door.proxies, bytes)
  })

  it.each(GARBAGE)('drops those to a cluster, and goes on (%s)', async (_, bytes) => {
    const door = await proxied(cluster)
    onTestFinished(() => door.stop())
    await goesOn(door, door.proxies, bytes)
  })

  it.each(GARBAGE)('drops those to sentinels, and goes on (%s)', async (_, bytes) => {
    const door = await proxied(sentinel)
    onTestFinished(() => door.stop())
    const watched = await Promise.all(sentinel.sentinels.map((each) => startProxy(each)))
    onTestFinished(() => Promise.all(watched.map((proxy) => proxy.close())).then(() => undefined))
    const sentinelAddresses = watched.map((proxy) => `redis://${addressOf(proxy)}`)
    await goesOn(door, [...door.proxies, ...watched], bytes, { sentinelAddresses })
  })
})

/** Says the same over all kinds of connections. */
async function goesOn(
  door: Proxied<typeof single | typeof cluster | typeof sentinel>,
  proxies: readonly TcpProxy[],
  bytes: string,
  more: object = {},
): Promise<void> {
  await using client = await Redisson.create(door.options({ ...HURRIED, retryAttempts: 10, ...more }))
  const heard: string[] = []
  await client.getTopic<string>('garbage:news').addListener((message) => void heard.push(message))
  await useAll(client)
  const dropped = proxies.flatMap((proxy) => proxy.connections.map(({ closed }) => closed))
  for (const proxy of proxies) proxy.say(bytes)
  await Promise.all(dropped)
  await useAll(client)
  await eventually(async () => {
    await client.getTopic('garbage:news').publish('here')
    return heard.includes('here')
  })
}

async function useAll(client: RedissonClient): Promise<void> {
  await client.batch((batch) => [batch.getBucket('garbage:value').set(1)], { mode: 'atomic' })
  expect(await client.getBucket('garbage:value').get()).toBe(1)
  await client.getLock('garbage:lock').withLock(() => undefined)
  const set = client.getScoredSortedSet<string>('garbage:set')
  const taken = set.takeFirst()
  await set.add(1, 'taken')
  expect(await taken).toBe('taken')
}
