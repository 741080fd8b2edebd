import { afterEach, describe, expect, it, vi } from 'vitest'
import { Redisson } from '../../src/client/redisson.js'
import { eventually } from '../support/eventually.js'
import type { ClientTopology } from '../support/launch/topology.js'
import { startCluster, startSingle } from '../support/servers.js'

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each([
  ['a server', 'volatile-lru', (): Promise<ClientTopology> => startSingle()],
  ['a cluster', 'allkeys-random', (): Promise<ClientTopology> => startCluster()],
])('the eviction policy of %s', (_, policy, start) => {
  it('is warned of once if it removes keys, for each policy', async () => {
    await using topology = await start()
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const warnings = () => emitWarning.mock.calls.map(([message, options]) => [message, options] as unknown)
    const first = topology.nodes[0]
    await first.command('CONFIG', 'SET', 'maxmemory-policy', policy)

    const client = await Redisson.create(topology.options())
    await client.getBucket('any').isExists()
    await eventually(() => warnings().length > 0)
    expect(warnings()).toEqual([
      [expect.stringContaining(`\`maxmemory-policy\` ${policy}`), { code: 'REDISSON_EVICTION_POLICY' }],
    ])
    expect(String(emitWarning.mock.calls[0]?.[0])).toContain(`${first.host}:${first.port}`)
    await client.shutdown()
  })
})
