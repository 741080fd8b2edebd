import { Cluster, type Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { improveCluster } from '../../../src/connection/cluster/own-cluster.js'

interface Pool {
  findOrCreate(node: { host: string; port: number }): Redis
  getSampleInstance(role: 'master'): Redis | undefined
}

describe('a cluster of our own', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each([0, 0.4, 0.9])('sends what has no key to a node that is connected (%d)', (chance) => {
    const cluster = improveCluster(
      new Cluster([{ host: 'localhost', port: 1 }], { lazyConnect: true }),
      false,
    )
    const pool = (cluster as unknown as { connectionPool: Pool }).connectionPool
    const nodes = [1, 2, 3].map((port) => pool.findOrCreate({ host: '127.0.0.1', port }))
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    for (const node of nodes) {
      node.status = 'ready'
      expect(pool.getSampleInstance('master')).toBe(node)
      node.status = 'connecting'
    }
    expect(nodes).toContain(pool.getSampleInstance('master')) // none is connected, so any will do
  })
})
