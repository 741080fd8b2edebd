import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startChild } from './support/child.js'
import { addressOf, type ServerNode } from './support/launch/topology.js'
import { noLeaks } from './support/no-leaks.js'
import { cluster, sentinel, single } from './support/topologies.js'

const folder = new URL('../examples/', import.meta.url)
const ownName = new URL('prose/own-name.ts', import.meta.url)

const urls = (nodes: readonly ServerNode[]) => nodes.map((node) => `redis://${addressOf(node)}`).join(' ')

/** Where the examples find the library and their servers. */
const env = {
  NODE_OPTIONS: `--no-warnings --import ${ownName.href}`,
  REDIS_URL: urls(single.nodes),
  SENTINEL_URLS: urls(sentinel.sentinels),
  CLUSTER_URLS: urls(cluster.nodes),
}

/** What each of them says. */
const said: Readonly<Record<string, readonly string[] | RegExp>> = {
  'await-using.ts': ['inside: true', 'locked afterwards: false', 'the timer gave it back: true'],
  'cluster.ts': ['locked 3 names, wherever they live'],
  'config-file.ts': ['locked with the settings of a file'],
  'first-lock.ts': ['nobody else is here'],
  'hand-over.ts': ['taken: true', 'the worker knows the owner: true', 'locked afterwards: false'],
  'lost-lock.ts': /^step 1\n(step \d\n)*event: examples:lost-lock is lost, expired\nstopped: expired$/,
  'run-as-thread.ts': ['outer holds 1', 'inner holds 2', 'outer still holds 1', 'locked afterwards: false'],
  'sentinels.ts': ['locked at the master, and at a replica'],
  'single-server.ts': ['locked at a single server'],
  'try-lock.ts': ['at once: false', 'after 50 ms: false', 'got it, for a minute: true'],
  'with-lock.ts': ['balance 60', 'balance 100, still held: true', 'locked afterwards: false'],
}

describe('the examples', () => {
  for (const topology of [single, sentinel, cluster]) noLeaks(topology, { except: /^redisson_unlock_latch:/ })

  it('are all known here', () => {
    expect(readdirSync(folder).filter((file) => file.endsWith('.ts'))).toEqual(Object.keys(said))
  })

  it.each(Object.entries(said))('%s runs, says what it should and ends', async (file, expected) => {
    await using example = startChild(new URL(file, folder), { env })
    const exit = await example.exited
    const output = example.output.trimEnd()
    if (expected instanceof RegExp) expect(output).toMatch(expected)
    else expect(output.split('\n')).toEqual(expected)
    expect(exit).toEqual({ code: 0, signal: null })
  })
})
