import { hostname } from 'node:os'
import { Cluster, Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { connectionName } from '../../../src/client/connection-name.js'
import { eventually } from '../../support/eventually.js'
import type { ServerNode } from '../../support/launch/topology.js'
import { cluster, everyTopology, sentinel, single } from '../../support/topologies.js'

/** The names of all connections to some servers. */
async function namesAt(nodes: readonly ServerNode[]): Promise<string[]> {
  const lists = await Promise.all(nodes.map((node) => node.command('CLIENT', 'LIST')))
  return lists.flatMap((list) => [...String(list).matchAll(/\bname=(\S*)/g)].map(([, name = '']) => name))
}

async function made(options: RedissonOptions): Promise<RedissonClient> {
  const client = await Redisson.create(options)
  onTestFinished(() => client.shutdown())
  return client
}

describe.each(everyTopology)('connections to a $kind', (topology) => {
  it('have the id of the client in their name, which is that of the owner of a lock', async () => {
    const client = await made(topology.options())
    const name = `ioredisson:${client.id}:${hostname()}:${String(process.pid)}`.replace(/[^!-~]/g, '-')
    const own = async () => (await namesAt(topology.nodes)).filter((each) => each === name).length
    const before = await own()
    expect(before).toBeGreaterThan(0)
    const lock = client.getLock('named')
    const hold = await lock.acquire()
    expect(name).toContain(`:${hold.owner.split(':')[0] ?? ''}:`)
    const waiting = lock.acquire()
    await eventually(async () => (await own()) > before)
    await hold.unlock()
    await (await waiting).unlock()
  })
})

describe('the name of a connection', () => {
  it('is that of the settings, if these have one', async () => {
    await made(single.options({ clientName: 'by-settings' }))
    expect(await namesAt(single.nodes)).toContain('by-settings')
  })

  it('is there at sentinels as well', async () => {
    const client = await made(sentinel.options())
    await eventually(async () => (await namesAt(sentinel.sentinels)).includes(connectionName(client.id)))
  })

  it('is that of a client of ioredis, if that has one', async () => {
    const [{ host, port }] = single.nodes
    const theirs = new Redis({ host, port, lazyConnect: true, connectionName: 'of theirs' })
    await made({ ioredis: theirs })
    expect(await namesAt(single.nodes)).toContain('of-theirs')
    const nameless = await made({ ioredis: new Redis({ host, port, lazyConnect: true }) })
    expect(await namesAt(single.nodes)).toContain(connectionName(nameless.id))
  })

  it('is given to the nodes of a cluster of ioredis', async () => {
    const nodes = cluster.nodes.map(({ host, port }) => ({ host, port }))
    const client = await made({ ioredis: new Cluster(nodes, { lazyConnect: true }) })
    expect(await namesAt(cluster.nodes)).toContain(connectionName(client.id))
  })

  it('has nothing that Redis refuses', () => {
    expect(connectionName('an id\nwith ü')).toMatch(/^ioredisson:an-id-with--:[!-~]+$/)
  })
})
