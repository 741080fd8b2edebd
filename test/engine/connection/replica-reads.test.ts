import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { Failures } from '../../../src/connection/login/failures.js'
import { ReplicaReads } from '../../../src/connection/requests/replica-reads.js'
import { eventually } from '../../support/eventually.js'
import { freePorts } from '../../support/launch/free-ports.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { startSingle } from '../../support/servers.js'

const GET = { name: 'get', args: ['key'] }

let master: SingleTopology
let replica: SingleTopology
let redis: Redis
let reads: ReplicaReads

beforeEach(async () => {
  ;[master, replica] = await Promise.all([startSingle(), startSingle()])
  const [server] = replica.nodes
  redis = new Redis(server.port, server.host)
  const config = { ...resolveConfig(replica.options()), readMode: 'SLAVE' as const }
  reads = new ReplicaReads(config, new Failures(config), {
    replicasOf: () => [redis],
    askOwner: () => Promise.resolve('of the owner'),
  })
})

afterEach(async () => {
  await reads.close()
  redis.disconnect()
  await Promise.all([master.stop(), replica.stop()])
})

const read = async () => String(await reads.send(GET, 'key'))

const follow = (port: number) => replica.nodes[0].command('REPLICAOF', '127.0.0.1', port)

it('asks a replica only once it has all data of its master', async () => {
  const [nobody = 0] = await freePorts(1)
  await follow(nobody)
  await redis.ping()
  expect(await read()).toBe('of the owner')
  await master.nodes[0].command('SET', 'key', 'of the replica')
  await follow(master.nodes[0].port)
  await eventually(async () => (await read()) === 'of the replica')
})

it('asks the owner as long as a replica may not tell whether it has them', async () => {
  await master.nodes[0].command('SET', 'key', 'of the replica')
  await follow(master.nodes[0].port)
  await eventually(async () => (await read()) === 'of the replica')
  await replica.nodes[0].command('ACL', 'SETUSER', 'default', '-info')
  await eventually(async () => (await read()) === 'of the owner')
})
