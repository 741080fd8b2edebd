import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { Redisson } from '../../../src/client/redisson.js'
import { addressOf, type ClientTopology, type ServerNode } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

type Options = Omit<RedisOptions, 'replyMapping'>

/** Settings of a client that may be shared, and what ioredis does with commands whose connection breaks. */
const SETTINGS: readonly [behaviour: string, options: Options][] = [
  ['keeps them until it has connected again', { autoResendUnfulfilledCommands: false }],
  [
    'keeps them, however often it tries',
    { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: null },
  ],
  ['keeps them, and none that waits', { autoResendUnfulfilledCommands: false, enableOfflineQueue: false }],
  ['rejects them, and sends none again', { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 }],
  ['rejects them, and would send others again', { maxRetriesPerRequest: 0 }],
  ['rejects them, and ends', { autoResendUnfulfilledCommands: false, retryStrategy: () => null }],
]

const LOST = { code: 'CONNECTION_LOST', mayHaveRun: true }

/** Has the reply to a command of a shared client get lost with its connection, while other commands wait for theirs. */
async function expectNoticed(
  topology: ClientTopology<ServerNode>,
  connect: (door: Proxied<ClientTopology<ServerNode>>) => Redis | Cluster,
): Promise<void> {
  const door = await proxied(topology)
  const ioredis = connect(door)
  const client = await Redisson.create({ ioredis, share: true })
  const counter = client.getAtomicLong('shared-counter')
  await counter.set(0)
  const lost = door.proxies.map((proxy) => proxy.loseReplyTo('incr'))
  const calls = [counter.incrementAndGet(), counter.incrementAndGet()]
  const together = client.batch((batch) => [batch.getAtomicLong('shared-counter').incrementAndGet()], {
    responseTimeoutMs: 40_000,
  })
  expect(await Promise.allSettled(calls)).toMatchObject(calls.map(() => ({ reason: LOST })))
  await expect(together).rejects.toMatchObject({ code: 'BATCH', mayHaveRun: true, cause: LOST })
  for (const trap of lost) trap[Symbol.dispose]()
  await client.shutdown()
  ioredis.disconnect()
  await door.stop()
  await using straight = await Redisson.create(topology.options())
  await straight.getAtomicLong('shared-counter').delete()
}

/** Where the proxies are, by the addresses of the servers. */
const mapped = ({ nodes, proxies }: Proxied<ClientTopology<ServerNode>>) =>
  Object.fromEntries(nodes.map((node, index) => [addressOf(node), proxies[index] as TcpProxy]))

describe('a broken connection of a client of ioredis that is shared', () => {
  noLeaks(single)
  noLeaks(sentinel)
  noLeaks(cluster)

  it.each(SETTINGS)('loses its requests at once where ioredis %s', async (_, options) => {
    await expectNoticed(single, ({ proxies }) => new Redis(Number(proxies[0]?.port), options))
  })

  it('is noticed where sentinels name the master', async () => {
    await expectNoticed(
      sentinel,
      (door) =>
        new Redis({
          sentinels: sentinel.sentinels.map(({ host, port }) => ({ host, port })),
          name: sentinel.masterName,
          natMap: mapped(door),
          autoResendUnfulfilledCommands: false,
        }),
    )
  })

  it('is noticed where it belongs to a cluster', async () => {
    await expectNoticed(
      cluster,
      (door) =>
        new Cluster(
          door.proxies.map(({ host, port }) => ({ host, port })),
          { natMap: mapped(door), retryDelayOnFailover: 0 },
        ),
    )
  })
})
