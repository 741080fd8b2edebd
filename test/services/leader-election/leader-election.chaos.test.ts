import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { startSingle } from '../../support/servers.js'
import { untilAborted } from '../../support/until-aborted.js'

const WATCHDOG_MS = 900

describe('an election whose server is started again', () => {
  let server: SingleTopology
  let clients: RedissonClient[]

  beforeAll(async () => {
    server = await startSingle()
    const settings = { ...server.options({}), lockWatchdogTimeout: WATCHDOG_MS }
    clients = await Promise.all([0, 1, 2].map(() => Redisson.create(settings)))
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await server.stop()
  })

  it('goes on, with one leader whose function has ended before another begins in its process', async () => {
    const stop = new AbortController()
    const offices = clients.map(() => new LimitedResource())
    const elections = clients.map((client) => client.getLeaderElection('scheduler'))
    const runs = elections.map((election, index) =>
      election.run(({ signal }) => offices[index]?.use(() => untilAborted(signal)), { signal: stop.signal }),
    )
    const leaders = () => elections.filter(({ isLeader }) => isLeader).length
    for (let round = 0; round < 3; round += 1) {
      await eventually(() => leaders() === 1)
      await server.nodes[0].kill()
      await eventually(() => leaders() === 0)
      await server.nodes[0].restart()
    }
    await eventually(() => leaders() === 1)
    stop.abort()
    await Promise.all(runs)
    expect(offices.map(({ highest }) => highest)).not.toContain(2)
    // The leader's function has ended, and its lock may be released later: the server has just been started.
    await eventually(async () => (await elections[0]?.getLeader()) === undefined)
  })
})
