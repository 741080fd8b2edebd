import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster as realCluster } from '../../support/topologies.js'
import { Cluster, slotOf, type ClusterNode } from '../server/cluster.js'
import { keysOf } from '../server/keys-of.js'
import { Refusal, type Bytes } from '../server/reply.js'
import { Server } from '../server/server.js'
import { families, sequencesOf } from './generated.js'
import { RawClient } from './raw-client.js'
import { skipOtherVersions } from './real-version.js'
import { SimulatedClient } from './simulated-client.js'

/** Which node gets a request: the first master, the second, or a replica of the first. */
type Where = 'first' | 'second' | 'replica'
type Request = readonly [Where, ...Bytes[]]

const NODES: readonly Where[] = ['first', 'second', 'replica']

/** A tag whose slot the first master has, and one of the second. */
let here: Bytes
let there: Bytes

const cases: Readonly<Record<string, () => readonly Request[]>> = {
  'keys that are elsewhere': () => [
    ['first', 'SET', `${here}a`, '1'],
    ['first', 'GET', `${there}a`],
    ['second', 'GET', `${here}a`],
    ['first', 'GET', `${here}a`],
    ['first', 'DEL', `${here}a`, `${here}b`],
    ['first', 'DEL', `${here}a`, `${there}a`],
    ['second', 'MGET', `${here}a`, `${here}b`],
    ['first', 'EVAL', 'return 1', '2', `${there}a`, `${there}b`],
    ['first', 'EVAL', 'return 1', '2', `${here}a`, `${there}b`],
    ['first', 'EVAL', `return redis.pcall('get', '${there}a')`, '0'],
    ['first', 'EVAL', `return redis.pcall('set', '${here}a', 5)`, '1', `${here}a`],
    ['first', 'PING'],
    ['first', 'NOSUCH'],
    ['first', 'GET'],
    ['first', 'DEL', `${here}a`],
  ],
  databases: () => [
    ['first', 'SELECT', '0'],
    ['first', 'SELECT', '1'],
    ['first', 'SELECT', 'x'],
  ],
  transactions: () => [
    ['first', 'MULTI'],
    ['first', 'SET', `${here}t`, '1'],
    ['first', 'GET', `${there}a`],
    ['first', 'EXEC'],
    ['first', 'GET', `${here}t`],
    ['first', 'MULTI'],
    ['first', 'SET', `${here}t`, '1'],
    ['first', 'GET', `${here}t`],
    ['first', 'EXEC'],
    ['first', 'MULTI'],
    ['first', 'GET', '{other}t'],
    ['first', 'EXEC'],
    ['first', 'DEL', `${here}t`],
  ],
  'channels of slots': () => [
    ['first', 'SPUBLISH', `${here}c`, 'm'],
    ['first', 'SPUBLISH', `${there}c`, 'm'],
    ['second', 'SSUBSCRIBE', `${there}c`],
    ['first', 'SSUBSCRIBE', `${there}c`],
  ],
  replicas: () => [
    ['replica', 'GET', `${here}a`],
    ['replica', 'READONLY'],
    ['replica', 'GET', `${here}a`],
    ['replica', 'GET', `${there}a`],
    ['replica', 'SET', `${here}a`, '1'],
    ['replica', 'EVALSHA', 'ffffffffffffffffffffffffffffffffffffffff', '1', `${here}a`],
    ['replica', 'READWRITE'],
    ['replica', 'GET', `${here}a`],
  ],
  'what nodes say of themselves': () => [
    ['first', 'CLUSTER', 'SLOTS'],
    ['second', 'CLUSTER', 'SLOTS'],
    ['replica', 'CLUSTER', 'SLOTS'],
    ['first', 'CLUSTER', 'KEYSLOT', `${here}a`],
    ['first', 'CLUSTER', 'MYID'],
    ['first', 'CLUSTER', 'NOSUCH'],
  ],
}

describe('a node of a simulated cluster and of a real one', () => {
  const clients = new Map<Where, RawClient>()
  let simulated: Cluster

  noLeaks(realCluster)

  beforeAll(async () => {
    const asked = await RawClient.connect(realCluster.nodes[0] as HostAndPort)
    simulated = clusterLike((await asked.command('CLUSTER', 'SLOTS')) as readonly SlotRange[])
    await asked.close()
    const [first, second] = simulated.nodes.filter(({ master }) => master === undefined)
    here = tagOf(simulated, first as ClusterNode)
    there = tagOf(simulated, second as ClusterNode)
  })

  beforeEach(async () => {
    for (const where of NODES) clients.set(where, await RawClient.connect(nodeAt(simulated, where)))
  })

  afterEach(async () => {
    for (const client of clients.values()) await client.close()
  })

  it.for(Object.entries(cases))('reply the same about %s', async ([, requests], context) => {
    skipOtherVersions(context, 'these replies')
    await demandSame(requests())
  })

  it('reply the same about a slot that moves', async (context) => {
    skipOtherVersions(context, 'these replies')
    const slot = slotOf(`${here}a`)
    const [from, to] = [nodeAt(simulated, 'first'), nodeAt(simulated, 'second')]
    const [source, target] = ['first', 'second'].map((where) => clients.get(where as Where) as RawClient)
    const set = (client: RawClient | undefined, ...words: Bytes[]) =>
      client?.command('CLUSTER', 'SETSLOT', String(slot), ...words)
    await demandSame([['first', 'SET', `${here}a`, '1']])
    await set(target, 'IMPORTING', from.id)
    await set(source, 'MIGRATING', to.id)
    simulated.moves.set(slot, { from, to })
    try {
      await demandSame([
        ['first', 'GET', `${here}a`],
        ['first', 'GET', `${here}b`],
        ['first', 'MGET', `${here}a`, `${here}b`],
        ['first', 'MGET', `${here}b`, `${here}c`],
        ['first', 'SET', `${here}b`, '1'],
        ['second', 'GET', `${here}b`],
        ['second', 'ASKING'],
        ['second', 'GET', `${here}b`],
        ['second', 'GET', `${here}b`],
        ['second', 'ASKING'],
        ['second', 'MGET', `${here}b`, `${here}c`],
        ['second', 'ASKING'],
        ['second', 'PING'],
        ['second', 'GET', `${here}b`],
        ['first', 'MULTI'],
        ['first', 'GET', `${here}a`],
        ['first', 'GET', `${here}b`],
        ['first', 'EXEC'],
      ])
    } finally {
      await set(source, 'STABLE')
      await set(target, 'STABLE')
      simulated.moves.clear()
      await demandSame([['first', 'DEL', `${here}a`]])
    }
  })

  it('find the same keys in commands', async (context) => {
    skipOtherVersions(context, 'the keys of commands')
    const client = clients.get('first') as RawClient
    for (const family of families)
      for (const words of fc.sample(sequencesOf(family), { numRuns: 10, seed: 1 }).flat()) {
        const keys = await client.command('COMMAND', 'GETKEYS', ...words)
        if (keys instanceof Refusal) continue // without keys, or wrong
        expect({ words, keys: keysOf(words) }).toEqual({ words, keys })
      }
  })

  async function demandSame(requests: readonly Request[]): Promise<void> {
    const simulatedClients = new Map(
      NODES.map((where) => [where, new SimulatedClient(nodeAt(simulated, where).server)]),
    )
    for (const [where, ...words] of requests) {
      const client = simulatedClients.get(where) as SimulatedClient
      client.send(words)
      const real = await (clients.get(where) as RawClient).command(...words)
      expect({ where, words, reply: client.received.pop() }).toEqual({
        where,
        words,
        reply: real,
      })
    }
  }
})

type SlotRange = readonly [from: number, to: number, ...nodes: (readonly [Bytes, number, Bytes])[]]

/** A simulated cluster with the same addresses, ids and slots as a real one. */
function clusterLike(ranges: readonly SlotRange[]): Cluster {
  const cluster = new Cluster()
  for (const [from, to, ...nodes] of ranges) {
    const [master, ...replicas] = nodes.map(([host, port, id]) => addNode(cluster, { host, port, id })) as [
      ClusterNode,
      ...ClusterNode[],
    ]
    for (const replica of replicas) replica.master = master
    for (let slot = from; slot <= to; slot += 1) cluster.owners[slot] = master
  }
  return cluster
}

function addNode(
  cluster: Cluster,
  { host, port, id }: Pick<ClusterNode, 'host' | 'port' | 'id'>,
): ClusterNode {
  const known = cluster.nodes.find((node) => node.id === id)
  if (known !== undefined) return known
  const server = new Server({ now: Date.now, draw: () => 0 })
  const node: ClusterNode = { host, port, id, server, master: undefined, hasFailed: false }
  server.place = { cluster, self: node }
  cluster.nodes.push(node)
  return node
}

function nodeAt({ nodes }: Cluster, where: Where): ClusterNode {
  const [first, second] = nodes.filter(({ master }) => master === undefined)
  const replica = nodes.find(({ master }) => master === first)
  return { first, second, replica }[where] as ClusterNode
}

/** A prefix of keys that are all in one slot of a master. */
function tagOf({ owners }: Cluster, master: ClusterNode): Bytes {
  for (let n = 0; ; n += 1) if (owners[slotOf(`{tag${String(n)}}`)] === master) return `{tag${String(n)}}`
}
