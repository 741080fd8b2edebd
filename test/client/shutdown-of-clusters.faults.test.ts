import { describe, expect, it } from 'vitest'
import { startChild } from '../support/child.js'
import { addressOf } from '../support/launch/topology.js'
import { proxied, type Proxied } from '../support/proxied.js'
import type { TcpProxy } from '../support/proxy.js'
import { cluster } from '../support/topologies.js'

const fixture = new URL('fixtures/shuts-down-when-told.ts', import.meta.url)

/** How often a cluster is asked for its shape, in milliseconds. */
const SCAN_MS = 50

const ways = {
  'of a cluster': (door: Proxied<typeof cluster>) => door.options({ scanInterval: SCAN_MS }),
  'like ioredis': (door: Proxied<typeof cluster>) => ({
    nodes: door.proxies.map(({ host, port }) => ({ host, port })),
    options: {
      natMap: Object.fromEntries(
        door.nodes.map((node) => {
          const { host, port } = door.proxyOf(node)
          return [addressOf(node), { host, port }]
        }),
      ),
      slotsRefreshInterval: SCAN_MS,
      lazyConnect: true,
    },
  }),
}

/** Has a node that is asked for the shape of the cluster wait with its reply. */
function holdShape(proxies: readonly TcpProxy[]): { readonly asked: Promise<unknown>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const traps = proxies.map((proxy) => ({
    asked: proxy.onRequest('cluster slots').happened,
    held: proxy.onReply('cluster slots', () => promise, { times: Infinity }),
  }))
  return { asked: Promise.race(traps.map(({ asked }) => asked)), release: resolve }
}

describe.each(Object.entries(ways))('the process of a client %s', (how, settings) => {
  it('ends, although it was shut down while the cluster was asked for its shape', async () => {
    const door = await proxied(cluster)
    await using child = startChild(fixture, { args: [how, JSON.stringify(settings(door))] })
    await child.hear('connected')
    const shape = holdShape(door.proxies)
    await shape.asked
    process.kill(child.pid ?? NaN, 'SIGTERM')
    await child.hear('shut down')
    shape.release()
    expect(await child.exited).toEqual({ code: 0, signal: null })
    await door.stop()
  })
})
