import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { askAll } from '../support/ask-all.js'
import { eventually } from '../support/eventually.js'
import type { ClientTopology } from '../support/launch/topology.js'
import { startCluster, startSingle } from '../support/servers.js'
import { JavaPeer, type JavaThread } from './java-peer.js'

const START_WITHIN_MS = 120_000

const SERVERS: readonly (readonly [string, () => Promise<ClientTopology>])[] = [
  ['a single server', () => startSingle()],
  ['a cluster', () => startCluster({ nodeTimeoutMs: 60_000 })],
]

describe.skipIf(inject('javaPeer').missing !== undefined).each(SERVERS)(
  'adders of Node and Java on %s',
  (_, start) => {
    let servers: ClientTopology
    let client: RedissonClient
    let peer: JavaPeer
    let java: JavaThread

    beforeAll(async () => {
      ;[servers, peer] = await Promise.all([start(), JavaPeer.start()])
      client = await Redisson.create(servers.options())
      java = (await peer.open(servers)).thread('adders')
    }, START_WITHIN_MS)

    afterAll(async () => {
      await client.shutdown()
      await peer.end()
      await servers.stop()
    })

    const keysOf = async (name: string) =>
      (await askAll(servers.nodes, (node) => node.command('KEYS', `*${name}*`))).flat()

    it.each([
      ['getLongAdder', 5, 70, 75],
      ['getDoubleAdder', 0.5, 70.25, 70.75],
    ] as const)(
      '%s has the same sum on both sides, and begins anew with both',
      async (getter, mine, theirs, all) => {
        const name = `shared-${getter}`
        // The peer makes an object for each call, and each of them stays: their sums count together.
        const inJava = (...call: [string, ...unknown[]]) => java.call([getter, name], call)
        await using adder = client[getter](name)
        adder.add(mine)
        await inJava('add', theirs)
        await eventually(async () => (await adder.sum()) === all, { what: 'Java has replied' })
        expect(await inJava('sum')).toBe(all)
        expect(await client[getter](name).sum()).toBe(all)
        await inJava('increment')
        expect(await adder.sum()).toBe(all + 1)
        await adder.reset()
        expect(await inJava('sum')).toBe(0)
        adder.add(mine)
        expect(await inJava('sum')).toBe(mine)
        await inJava('reset')
        expect(await adder.sum()).toBe(0)
        await adder.destroy()
        expect(await inJava('sum')).toBe(0)
        await eventually(async () => (await keysOf(name)).every((key) => String(key).includes('latch')))
      },
    )
  },
)
