import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterServersOptions, CommonOptions } from '../../../src/api/redisson-options.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { transfer } from '../../../src/queues/delayed-queue/delayed-queue.scripts.js'
import type { Sample } from '../../contracts/subject.js'
import { subjects } from '../../contracts/subjects.js'
import { allOf } from '../../support/all-of.js'
import { mastersOf, ownerOf, replicasOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type ServerNode } from '../../support/launch/topology.js'
import { Monitor, type Deed } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { masterOf } from '../../support/sentinel-set.js'
import { cluster, sentinel } from '../../support/topologies.js'

type Mode = ClusterServersOptions['readMode']

/** So long that a slow machine does not have a read go to the master. */
const PATIENCE_MS = 20_000

/** As a program without types calls. */
type Untyped = Readonly<Record<string | symbol, (...args: readonly unknown[]) => unknown>>

/** Without topics, which have no keys, and maps with a loader, which look at the master for what a replica has not got. */
const dataObjects = Object.entries(subjects).filter(
  ([name, { takesSignal = false, methods }]) =>
    takesSignal && !('messages' in methods) && name !== 'mapWritingThrough',
)

/** Whatever it is: what counts is who was asked. */
const outcomeOf = (call: Promise<unknown>) => call.catch((reason: unknown) => reason)

/** What would leave something in another database. */
const TO_DATABASES: readonly (string | symbol)[] = ['copy', 'move']

interface Call {
  readonly isRead: boolean
  readonly call: (object: Untyped) => Promise<unknown>
}

/** The calls of a method that asks Redis for something, and leaves other objects alone. */
function callsOf(method: string | symbol, sample: Sample): readonly Call[] {
  const { forms, refuses, isIteration = false, asksNothing = false, harmsOthers = false } = sample
  if (
    (refuses === 'by throwing' && !isIteration) ||
    asksNothing ||
    harmsOthers ||
    TO_DATABASES.includes(method)
  )
    return []
  return forms.map((form) => ({
    isRead: sample.isFromReplica === true,
    call: async (object) => {
      const returned = object[method]?.(...form.map(({ sound }) => sound))
      return await (isIteration
        ? (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
        : returned)
    },
  }))
}

const urlOf = (node: ServerNode) => `redis://${addressOf(node)}`

/** The nodes that have a key. */
interface Shard {
  readonly master: ServerNode
  readonly replicas: readonly ServerNode[]
}

describe.each([sentinel, cluster])('readMode ($kind)', (topology) => {
  noLeaks(topology)

  /** The commands that only read, of which a master tells its replicas nothing. */
  let reading: ReadonlySet<string>
  beforeAll(async () => {
    const all = (await topology.nodes[0]?.command('COMMAND')) as [
      name: string,
      arity: number,
      flags: string[],
    ][]
    reading = new Set(all.flatMap(([name, , flags]) => (flags.includes('readonly') ? [name] : [])))
  })

  /** Whether a program sent it to read, be it by a script. */
  const isRead = ({ words: [command = ''], by }: Deed) =>
    by === 'client' && (reading.has(command) || /^(eval|fcall|memory|object)/.test(command))

  const clients: RedissonClient[] = []
  const monitors: Monitor[] = []

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
    await Promise.all(monitors.splice(0).map((monitor) => monitor[Symbol.asyncDispose]()))
    await using client = await Redisson.create(topology.options())
    await client.getKeys().deleteByPattern('*read-mode:*')
  })

  /** Through masters alone, as a connection to a node of a cluster that is asked for the others stays. */
  async function connect(readMode: Mode = 'MASTER', clientName?: string, common: CommonOptions = {}) {
    const settings = { readMode, clientName: clientName ?? null, timeout: PATIENCE_MS }
    const options =
      topology.kind === 'cluster'
        ? topology.options({ ...settings, nodeAddresses: (await someMasters(topology)).map(urlOf) })
        : topology.options(settings)
    const client = await Redisson.create({ ...common, ...options })
    clients.push(client)
    return client
  }

  /** A busy machine may take longer than servers are waited for. */
  const shardOf = (name: string): Promise<Shard> => eventually(() => shardNow(name))

  async function shardNow(name: string): Promise<Shard> {
    if (topology.kind === 'cluster') {
      const slot = await slotOf(topology, name)
      return { master: await ownerOf(topology, slot), replicas: await replicasOf(topology, slot) }
    }
    const master = await masterOf(topology)
    return { master, replicas: topology.nodes.filter((node) => node !== master) }
  }

  async function watch(nodes: readonly ServerNode[]): Promise<Monitor> {
    const monitor = await Monitor.of(nodes)
    monitors.push(monitor)
    return monitor
  }

  /** The commands that read a name, as the program sent them. What a client moves by itself is not among them. */
  async function readsOf(monitor: Monitor, name: string): Promise<readonly string[]> {
    const deeds = (await monitor.deeds()).filter(
      ({ words }) => words[1] !== transfer.sha && words.some((word) => word.includes(name)),
    )
    return deeds.filter(isRead).map(({ words: [command = ''] }) => command)
  }

  /** Reads until a replica has replied. */
  async function untilReplicaIsRead(client: RedissonClient, name: string, shard: Shard): Promise<void> {
    const monitor = await Monitor.of(shard.replicas)
    try {
      await eventually(
        async () => {
          await client.getBucket(name).size()
          return (await readsOf(monitor, name)).length > 0
        },
        { what: 'a read at a replica' },
      )
    } finally {
      await monitor[Symbol.asyncDispose]()
    }
  }

  /** A name, its nodes, and a client in this mode that has connections to them. */
  async function prepared(mode: Mode, name = `read-mode:${randomUUID()}`, common: CommonOptions = {}) {
    const shard = await shardOf(name)
    const client = await connect(mode, undefined, common)
    await untilReplicaIsRead(client, name, shard)
    const [atMaster, atReplicas] = await Promise.all([watch([shard.master]), watch(shard.replicas)])
    return { name, shard, client, atMaster, atReplicas }
  }

  it.each(dataObjects)(
    'SLAVE has what only reads served by replicas alone, and nothing else: %s',
    async (name, subject) => {
      const { make, fill, free, methods, readsAtMaster = false } = subject
      const tag = `read-mode:${randomUUID()}`
      const inOneSlot = { nameMapper: (mapped: string) => `{${tag}}:${mapped}` }
      const { client, atMaster, atReplicas } = await prepared('SLAVE', tag, inOneSlot)
      const object = (await make(client, name)) as Untyped
      const calls = Reflect.ownKeys(methods).flatMap((method) => callsOf(method, methods[method] as Sample))
      const reads = readsAtMaster ? [] : calls.filter(({ isRead }) => isRead)
      await fill?.(object)
      const byMaster = await readsOf(atMaster, tag)
      for (const { call } of reads) await outcomeOf(call(object)) // a replica may have nothing yet
      const served = await readsOf(atReplicas, tag)
      expect(served.length).toBeGreaterThanOrEqual(reads.length)
      expect((await readsOf(atMaster, tag)).slice(byMaster.length)).toEqual([])
      for (const each of calls.filter((one) => !reads.includes(one))) {
        await fill?.(object)
        await outcomeOf(each.call(object))
      }
      expect((await readsOf(atReplicas, tag)).slice(served.length)).toEqual([])
      await free?.(client, name)
    },
  )

  it('SLAVE has retainAll() of a sorted set look at the master for what it removes', async () => {
    const { name, client, atReplicas } = await prepared('SLAVE')
    const set = client.getSortedSet(name)
    await set.addAll(['a', 'b'])
    await set.retainAll(['a'])
    expect(await readsOf(atReplicas, name)).toEqual([])
  })

  it('SLAVE has nothing read at a replica that something is written by', async () => {
    const { name, client, atReplicas } = await prepared('SLAVE')
    const map = client.getMap<string, string>(name)
    const key = (kind: string) => `{${name}}:${kind}`
    const bucket = client.getBucket<string>(key('bucket'))
    await map.putAll({ a: '1', b: '2' })
    await map.compute('a', (_, value) => `${value ?? ''}+`)
    await map.computeIfAbsent('c', () => '3')
    await map.computeIfAbsent('c', () => '4')
    await map.computeIfPresent('b', () => undefined)
    await map.merge('a', 'x', (before, value) => before + value)
    await map.putIfAbsent('d', '4')
    await map.replace('d', '4', '5')
    expect(await allOf(map.keys())).toHaveLength(3)
    expect(await allOf(map.values())).toHaveLength(3)
    expect(await allOf(map.entries())).toHaveLength(3)
    await map.containsValue('3')
    await map.touch()
    await map.getIdleTime()
    await map.expire(60_000)
    await map.clearExpire()
    await bucket.setIfAbsent('1')
    await bucket.compareAndSet('1', '2')
    await bucket.getAndSet('3')
    await bucket.compareAndDelete('3')
    await client.getAtomicLong(key('long')).incrementAndGet()
    await client.getAtomicDouble(key('double')).getAndAdd(1)
    for (const mode of ['pipeline', 'atomic'] as const)
      expect(await client.batch((batch) => [batch.getMap(name).get('c')], { mode })).toEqual(['3'])
    const deeds = await atReplicas.deeds()
    expect(deeds.filter(isRead).filter(({ words }) => words.some((word) => word.includes(name)))).toEqual([])
  })

  it('SLAVE has the chunks of a stream read at the master, as those of several servers would not fit together', async () => {
    const { name, client, atReplicas } = await prepared('SLAVE')
    const stream = client.getBinaryStream(name)
    await stream.set(Buffer.from('bytes'))
    expect(String(await buffer(stream.createReadStream({ highWaterMark: 1 })))).toBe('bytes')
    expect(String(await buffer(stream.readable({ highWaterMark: 1 })))).toBe('bytes')
    expect(await readsOf(atReplicas, name)).toEqual([])
    await stream.delete()
  })

  it('SLAVE concerns no lock, synchronizer, limiter or generator', async () => {
    const { name, client, atReplicas } = await prepared('SLAVE')
    const key = (kind: string) => `{${name}}:${kind}`
    const lock = client.getLock(key('lock'))
    const hold = await lock.acquire()
    await lock.isLocked()
    await lock.remainTimeToLive()
    await hold.unlock()
    const readWrite = client.getReadWriteLock(key('rw'))
    await (await readWrite.readLock().acquire()).unlock()
    await readWrite.readLock().isLocked()
    const semaphore = client.getSemaphore(key('semaphore'))
    await semaphore.trySetPermits(1)
    await semaphore.availablePermits()
    await semaphore.isExists()
    await semaphore.remainTimeToLive()
    const latch = client.getCountDownLatch(key('latch'))
    await latch.trySetCount(1)
    await latch.getCount()
    await latch.isExists()
    await latch.sizeInMemory()
    await latch.countDown()
    const permits = client.getPermitExpirableSemaphore(key('permits'))
    await permits.trySetPermits(1)
    await permits.availablePermits()
    await permits.isExists()
    const limiter = client.getRateLimiter(key('limiter'))
    await limiter.trySetRate('OVERALL', 1, 1_000)
    await limiter.getConfig()
    await limiter.availablePermits()
    await limiter.isExists()
    const ids = client.getIdGenerator(key('ids'))
    await ids.nextId()
    await ids.isExists()
    const deeds = await atReplicas.deeds()
    expect(deeds.filter(isRead).filter(({ words }) => words.some((word) => word.includes(name)))).toEqual([])
  })

  it('MASTER_SLAVE has values read at both', async () => {
    const { name, client, atMaster, atReplicas } = await prepared('MASTER_SLAVE')
    await eventually(async () => {
      await client.getBucket(name).get()
      return (await readsOf(atMaster, name)).length > 0 && (await readsOf(atReplicas, name)).length > 0
    })
  })

  it('MASTER, the default, makes no connection to a replica', async () => {
    const clientName = `reader-${randomUUID()}`
    const client = await connect(undefined, clientName)
    const name = `read-mode:${randomUUID()}`
    const { master, replicas } = await shardOf(name)
    const [atMaster, atReplicas] = await Promise.all([watch([master]), watch(replicas)])
    for (let read = 0; read < 20; read += 1) await client.getBucket(name).get()
    expect(await readsOf(atMaster, name)).toHaveLength(20)
    expect(await readsOf(atReplicas, name)).toEqual([])
    expect(await connectionsOf(clientName, replicas)).toBe(0)
  })

  it('has connections with the name of the client, made for the first read, and closed with it', async () => {
    const clientName = `reader-${randomUUID()}`
    const client = await connect('SLAVE', clientName)
    const name = `read-mode:${randomUUID()}`
    const shard = await shardOf(name)
    expect(await connectionsOf(clientName, shard.replicas)).toBe(0)
    await untilReplicaIsRead(client, name, shard)
    expect(await connectionsOf(clientName, shard.replicas)).toBe(1)
    await client.shutdown()
    await eventually(async () => (await connectionsOf(clientName, topology.nodes)) === 0)
  })

  it('reaches replicas by the addresses that `natMapper` makes, and reads on where they break', async () => {
    await using through = await proxied(topology)
    const often = topology.kind === 'cluster' ? { scanInterval: 100 } : {} // so often it looks for replicas
    const settings = { readMode: 'SLAVE', retryAttempts: 0, timeout: PATIENCE_MS, ...often } as const
    const client = await Redisson.create(through.options(settings))
    clients.push(client)
    const name = `read-mode:${randomUUID()}`
    const shard = await shardOf(name)
    const proxies = shard.replicas.map((replica) => through.proxyOf(replica))
    await untilReplicaIsRead(client, name, shard)
    expect(proxies.some(({ connections }) => connections.length > 0)).toBe(true)
    for (let cuts = 2; cuts > 0; cuts -= 1) {
      const reads = Array.from({ length: 20 }, () => client.getBucket(name).get())
      for (const proxy of proxies) proxy.cut()
      expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]))
      await untilReplicaIsRead(client, name, shard)
    }
  })

  it('reads the same as before where a replica does not know a script', async () => {
    const { name, shard, client, atMaster, atReplicas } = await prepared('SLAVE')
    await client.getBucket(name).set('value', 60_000)
    await Promise.all(shard.replicas.map((replica) => replica.command('SCRIPT', 'FLUSH')))
    await eventually(async () => (await client.getBucket(name).remainTimeToLive()) > 0) // once it is replicated
    expect(await readsOf(atReplicas, name)).toEqual(expect.arrayContaining(['evalsha', 'eval']))
    expect(await readsOf(atMaster, name)).not.toContain('eval')
  })
})

/** Those that have answered in time. */
function someMasters(of: typeof cluster): Promise<readonly ServerNode[]> {
  return eventually(async () => {
    const masters = await mastersOf(of)
    return masters.length > 0 && masters
  })
}

/** How many connections with a name there are. */
async function connectionsOf(name: string, nodes: readonly ServerNode[]): Promise<number> {
  const lists = await Promise.all(nodes.map(async (node) => String(await node.command('CLIENT', 'LIST'))))
  return lists.join('\n').split(` name=${name} `).length - 1
}
