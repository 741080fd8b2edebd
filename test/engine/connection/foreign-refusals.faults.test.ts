import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type MastersTopology } from '../../support/launch/topology.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { startMasters } from '../../support/servers.js'
import { untilAborted } from '../../support/until-aborted.js'

const FAST = { timeout: 3000, retryAttempts: 50, retryDelay: 20, reconnectionDelay: 20 }

describe('a server that refuses the login', () => {
  let servers: MastersTopology
  let door: TcpProxy
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    servers = await startMasters(2)
    const [master] = servers.nodes
    if (master === undefined) throw new Error('There is no server')
    door = await startProxy(master)
  })

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
  })

  afterAll(async () => {
    await door.close()
    await servers.stop()
  })

  const nodes = () => {
    const [master, other] = servers.nodes
    if (master === undefined || other === undefined) throw new Error('There are too few servers')
    return { master, other }
  }

  const away = async (ms: number) => {
    door.refuse()
    door.cut()
    await sleep(ms)
    await door.accept()
  }

  it('is no reason for a request to another, which is sent when that is back', async () => {
    const { other } = nodes()
    await other.command('CONFIG', 'SET', 'requirepass', 'a-word')
    const nodeAddresses = [`redis://${addressOf(door)}`, `redis://${addressOf(other)}`]
    const client = await Redisson.create({ replicatedServersConfig: { nodeAddresses, ...FAST } })
    clients.push(client)
    const hold = await client.getLock('foreign').acquire()
    const back = away(300)
    await sleep(10)
    await hold.unlock()
    await back
    expect(await client.getLock('foreign').isLocked()).toBe(false)
  })

  it('ends no candidate, who leads once it accepts him', async () => {
    const { master } = nodes()
    const client = await Redisson.create({
      singleServerConfig: { address: `redis://${addressOf(door)}`, ...FAST, retryAttempts: 1 },
    })
    clients.push(client)
    const stop = new AbortController()
    const election = client.getLeaderElection('refused')
    const busy = client.getFencedLock('ioredisson_leader:{refused}')
    const hold = await busy.acquire({ leaseMs: 700 })
    const outcome = election.run(({ signal }) => untilAborted(signal), { signal: stop.signal })
    await master.command('CONFIG', 'SET', 'requirepass', 'a-word')
    await away(1_000)
    await sleep(500)
    await master.command('CONFIG', 'SET', 'requirepass', '')
    await eventually(() => election.isLeader)
    stop.abort()
    await outcome
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
  })

  it('still gets a release as soon as it accepts it', async () => {
    const { master } = nodes()
    const client = await Redisson.create({
      singleServerConfig: { address: `redis://${addressOf(door)}`, ...FAST },
    })
    clients.push(client)
    const hold = await client.getLock('refused').acquire()
    const permits = client.getSemaphore('refused-permits', { permits: 1 })
    const inside = Promise.withResolvers<void>()
    const section = permits.withPermit(() => inside.promise)
    await eventually(async () => (await permits.availablePermits()) === 0)
    await master.command('CONFIG', 'SET', 'requirepass', 'a-word')
    await away(50)
    inside.resolve()
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'AUTHENTICATION' })
    await section // its work is done, and the release goes on in the background
    await master.command('CONFIG', 'SET', 'requirepass', '')
    const free = async () =>
      (await master.command('EXISTS', 'refused')) === 0 &&
      String(await master.command('GET', 'refused-permits')) === '1'
    await eventually(free)
    await expect(client.getLock('refused').tryLock()).resolves.toBe(true)
  })
})
