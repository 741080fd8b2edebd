import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { connectionName } from '../../../src/client/connection-name.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type ServerNode } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { cluster, everyTopology, sentinel, single } from '../../support/topologies.js'

/** All of one slot, so that one node of a cluster serves them. */
const LOCK = '{connections}:lock'
const NUMBER = '{connections}:number'
const SET = '{connections}:set'

/** What opens connections, in this order, and how many a client has then to all servers with data. The guide has the same table. */
interface Step {
  readonly what: string
  readonly act: (client: RedissonClient) => Promise<unknown>
  readonly counts: Readonly<Record<'single' | 'sentinel' | 'cluster', number>>
}

async function waitForLock(client: RedissonClient): Promise<void> {
  const hold = await client.getLock(LOCK).acquire()
  expect(await client.runAsThread(() => client.getLock(LOCK).tryLock(300))).toBe(false)
  await hold.unlock()
}

async function incrementAtomically(client: RedissonClient): Promise<void> {
  await client.batch((batch) => [batch.getAtomicLong(NUMBER).incrementAndGet()], { mode: 'atomic' })
  await client.getAtomicLong(NUMBER).delete()
}

const poll = (client: RedissonClient) => client.getScoredSortedSet(SET).pollFirst({ waitMs: 300 })

const NONE = () => Promise.resolve()

const MASTERS = cluster.nodes.length / 2

const steps: readonly Step[] = [
  { what: 'a client is made', act: NONE, counts: { single: 1, sentinel: 1, cluster: 2 * MASTERS } },
  {
    what: 'a lock is waited for',
    act: waitForLock,
    counts: { single: 2, sentinel: 2, cluster: 2 * MASTERS + 1 },
  },
  {
    what: 'a batch runs as one step',
    act: incrementAtomically,
    counts: { single: 3, sentinel: 3, cluster: 2 * MASTERS + 2 },
  },
  { what: 'a poll has waited', act: poll, counts: { single: 5, sentinel: 5, cluster: 2 * MASTERS + 4 } },
  {
    what: 'the same comes again',
    act: async (client) => {
      await waitForLock(client)
      await incrementAtomically(client)
      await poll(client)
    },
    counts: { single: 5, sentinel: 5, cluster: 2 * MASTERS + 4 },
  },
]

/** How many connections of a client there are to some servers, by their name. */
async function countAt(nodes: readonly ServerNode[], { id }: RedissonClient): Promise<number> {
  const lists = await Promise.all(nodes.map((node) => node.command('CLIENT', 'LIST')))
  return lists.flatMap((list) =>
    String(list)
      .split(`name=${connectionName(id)} `)
      .slice(1),
  ).length
}

describe.each(everyTopology)('the connections of a client ($kind)', (topology) => {
  noLeaks(topology)
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(topology.options())
  })

  afterAll(async () => {
    await client.shutdown()
    expect(await countAt(topology.nodes, client)).toBe(0)
  })

  it.each(steps)('are as many as the guide says when $what', async ({ act, counts }) => {
    await act(client)
    const expected = counts[topology.kind]
    await eventually(async () => (await countAt(topology.nodes, client)) === expected)
    if (topology.kind === 'sentinel') {
      const sentinels = topology.sentinels.length
      await eventually(async () => (await countAt(topology.sentinels, client)) === sentinels)
    }
  })
})

describe('the connections for what replicas confirm', () => {
  noLeaks(sentinel)

  it('are one for each number of them', async () => {
    const client = await Redisson.create(sentinel.options())
    for (const syncedReplicas of [1, 2, 1]) {
      const hold = await client.getLock(LOCK, { syncedReplicas }).acquire()
      await hold.unlock()
    }
    expect(await countAt(sentinel.nodes, client)).toBe(3)
    await client.shutdown()
  })
})

describe('the connections of a client of replicated servers', () => {
  noLeaks(single)

  it('are one more to each server, which asks who the master is', async () => {
    const nodeAddresses = sentinel.nodes.map((node) => `redis://${addressOf(node)}`)
    const client = await Redisson.create({ replicatedServersConfig: { nodeAddresses } })
    onTestFinished(() => client.shutdown())
    expect(await countAt(sentinel.nodes, client)).toBe(nodeAddresses.length + 1)
  })
})

describe('a client whose connection for commands has found the master at another address', () => {
  noLeaks(sentinel)
  let here: TcpProxy
  let there: TcpProxy
  let client: RedissonClient

  beforeAll(async () => {
    const [master] = sentinel.nodes as [ServerNode]
    ;[here, there] = await Promise.all([startProxy(master), startProxy(master)])
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), here.close(), there.close()])
  })

  it('goes there with all others', async () => {
    let mapped = here
    const [master] = sentinel.nodes as [ServerNode]
    const natMapper = (told: HostAndPort) => (addressOf(told) === addressOf(master) ? mapped : told)
    client = await Redisson.create(sentinel.options({ natMapper, reconnectionDelay: 1 }))
    for (const { act } of steps) await act(client)
    expect(here.connections).toHaveLength(5)
    mapped = there
    const [commands] = here.connections
    commands?.cut()
    await eventually(() => here.connections.length === 0 && there.connections.length === 5)
    for (const { act } of steps) await act(client)
    expect(there.connections).toHaveLength(5)
  })
})
