import { describe, expect, it } from 'vitest'
import { Monitor } from './monitor.js'
import { noLeaks } from './no-leaks.js'
import { cluster, single } from './topologies.js'

const [server] = single.nodes

describe('a monitor', () => {
  noLeaks(single)
  noLeaks(cluster)

  it('tells what was done since it began, byte for byte', async () => {
    await server.command('PING', 'before')
    await using monitor = await Monitor.of(single.nodes)
    await server.command('PING', 'a "b" \\ ü\n')
    await server.command('EVAL', "return redis.call('publish', KEYS[1], ARGV[1])", 1, 'channel', '0')
    expect(await monitor.deeds()).toMatchObject([
      { words: ['ping', 'a "b" \\ ü\n'], by: 'client' },
      { words: ['eval', "return redis.call('publish', KEYS[1], ARGV[1])", '1', 'channel', '0'] },
      { words: ['publish', 'channel', '0'], by: 'script' },
    ])
    expect(await monitor.published()).toEqual([['publish', 'channel', '0']])
    expect(await monitor.deedsOn('channel')).toHaveLength(2)
  })

  it('watches all servers', async () => {
    await using monitor = await Monitor.of(cluster.nodes)
    for (const node of cluster.nodes) await node.command('PING', 'watched')
    expect(await monitor.deedsOn('watched')).toHaveLength(cluster.nodes.length)
  })
})
