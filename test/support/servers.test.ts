import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.js'
import { PortTakenError } from './launch/free-ports.js'
import { theLauncher } from './launch/choose-launcher.js'
import { serverPlan } from './launch/server-plans.js'
import type { RunningNode, SingleTopology, Topology } from './launch/topology.js'
import { masterOf, roleOf } from './sentinel-set.js'
import { startMasters, startSentinel, startSingle } from './servers.js'

describe('a single server', () => {
  let single: SingleTopology
  let node: RunningNode
  beforeAll(async () => {
    single = await startSingle()
    ;[node] = single.nodes
  })
  afterAll(() => stopped(single))

  it('answers', async () => {
    expect(await node.command('SET', 'key', 'value')).toBe('OK')
    expect(await node.command('GET', 'key')).toBe('value')
  })

  it('passes errors on as they are', async () => {
    await expect(node.command('INCR', 'key')).rejects.toThrow(/^ERR value is not an integer/)
  })

  it('tells a client where it is', () => {
    const address = `redis://127.0.0.1:${node.port}`
    expect(single.options({ timeout: 100 })).toEqual({ singleServerConfig: { address, timeout: 100 } })
  })

  it('does not answer while it is paused, and goes on afterwards', async () => {
    await node.pause()
    const answer = node.command('INCR', 'counter')
    expect(await Promise.race([answer, sleep(100, 'nothing yet')])).toBe('nothing yet')
    await node.resume()
    expect(await answer).toBe(1)
  })

  it('is gone when it is killed, and can be restarted without its data', async () => {
    await node.command('SET', 'key', 'value')
    await node.kill()
    await expect(node.command('PING')).rejects.toThrow(`127.0.0.1:${node.port} did not answer PING`)
    await node.restart()
    expect(await node.command('EXISTS', 'key')).toBe(0)
  })

  it('is not mistaken for another that has the port', async () => {
    const launcher = await theLauncher()
    const taken = launcher.launch([serverPlan(launcher, node.port)])
    await expect(taken).rejects.toThrow(PortTakenError)
  })
})

describe('independent masters', () => {
  it('know nothing of each other, and each can be connected to', async () => {
    const masters = await startMasters(3)
    await masters.nodes[0]?.command('SET', 'key', 'value')
    expect(await Promise.all(masters.nodes.map((node) => node.command('EXISTS', 'key')))).toEqual([1, 0, 0])
    const addresses = masters.each.map((master) => master.options())
    expect(addresses).toEqual(
      masters.nodes.map(({ port }) => ({
        singleServerConfig: { address: `redis://127.0.0.1:${port}` },
      })),
    )
    await stopped(masters)
  })
})

describe('a master with sentinels', () => {
  it('has two replicas, and three sentinels that agree', async () => {
    const set = await startSentinel({ downAfterMs: 60_000 })
    expect(set.sentinels).toHaveLength(3)
    expect(await Promise.all(set.nodes.map(roleOf))).toEqual(['master', 'slave', 'slave'])
    expect(await eventually(() => masterOf(set))).toBe(set.nodes[0])
    await stopped(set)
  })
})

/** Ends a topology, and demands that it is gone. */
async function stopped(topology: Topology): Promise<void> {
  await topology.stop()
  for (const node of topology.nodes) await expect(node.command('PING')).rejects.toThrow('did not answer')
}
