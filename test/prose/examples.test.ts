import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startChild } from '../support/child.js'
import { addressOf, type ServerNode } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { cluster, sentinel, single } from '../support/topologies.js'

const folder = new URL('../../examples/', import.meta.url)
const ownName = new URL('../support/own-name.ts', import.meta.url)

const urls = (nodes: readonly ServerNode[]) => nodes.map((node) => `redis://${addressOf(node)}`).join(' ')

/** Where the examples find the library and their servers. */
const env = {
  NODE_OPTIONS: `--no-warnings --import ${ownName.href}`,
  REDIS_URL: urls(single.nodes),
  SENTINEL_URLS: urls(sentinel.sentinels),
  CLUSTER_URLS: urls(cluster.nodes),
}

/** What examples leave: requests that are remembered for a while, the counter of a fenced lock, what it guards, and the times of a cache. */
const LEFT = /^redisson_once:|^redisson_lock_token:|^examples:prices:.fruit.:tag$|fenced-lock:stock/

/** The output of each of them. */
const said: Readonly<Record<string, readonly string[] | RegExp>> = {
  'await-using.ts': ['inside: true', 'locked afterwards: false', 'the timer gave it back: true'],
  'binary-stream.ts': ['1500000 bytes in Redis', 'the same: true', 'bytes 2 to 5: line'],
  'bit-set.ts': [
    'monday: 3, of these 70: true',
    'on both days: 70',
    'on both days: 1000000',
    'score of player 7: 15, bits in all: 32',
  ],
  'blocking-queue.ts': ['done: mail, print, scan', 'left: undefined'],
  'bloom-filter.ts': [
    '1437758 bits, 10 for each value',
    'new: true, again: false',
    'all were seen: true',
    'seen: user7@example.org',
  ],
  'client-side-caching.ts': ['theme: light', 'again, from memory: light', 'theme: dark', 'deleted: true'],
  'cluster.ts': ['locked 3 names, at any node'],
  'config-file.ts': ['locked with the settings of a file'],
  'count-down-latch.ts': ['finished at once: false', 'roof', 'walls', 'door', 'finished: true'],
  'delayed-queue.ts': [
    'waiting: call Grace, call Ada, call nobody',
    'true',
    'call Ada',
    'call Grace',
    'left: 0',
  ],
  'fair-lock.ts': ['in a hurry: false', 'the first is served', 'the second is served', 'the third is served'],
  'fenced-lock.ts': ['the next token is larger: true', 'refused: true', 'stock: 7'],
  'first-lock.ts': ['no other owner holds the lock'],
  'gcra-rate-limiter.ts': [
    'ada: 200, 1 left',
    'ada: 200, 0 left',
    'ada: 429, retry soon: true',
    'alan: 200, 1 left',
    'went on',
  ],
  'geo.ts': [
    'Ada is 1.3 km away',
    'Bob is 4.9 km away',
    'Eve rides: true',
    'nearest: Eve',
    'from Eve to Bob: 4.2 km',
    'in order: Eve,Ada,Bob',
  ],
  'hand-over.ts': ['taken: true', 'the worker knows the owner: true', 'locked afterwards: false'],
  'hyper-log-log.ts': ['monday: 2, tuesday: 2', 'both days: 3', 'week: 3'],
  'leader-election.ts': [1, 2, 3].flatMap(() => [
    'a leader, with a larger token: true',
    'Redis knows it: true',
    'stops leading',
  ]),
  'lex-sorted-set.ts': [
    'new: true, again: false',
    're: red,redis,reduce',
    'red: red,redis,reduce',
    'from h on: 4',
    '2 removed',
    'red',
    'redis',
    'reduce',
    'reed',
  ],
  'list.ts': [
    'wake',
    'eat',
    'work',
    'sleep',
    'first: wake, last: sleep',
    'before: work',
    'removed: eat',
    'left: wake, walk, sleep',
  ],
  'lost-lock.ts':
    /^step 1\n(step \d\n)*stopped: Owner \S+ lost lock examples:lost-lock: its lease of 500 ms ended\nevent: examples:lost-lock is lost, forced$/,
  'multi-lock.ts': ['anna 110, ben 90', 'a seat is taken: true'],
  'multimap.ts': [
    'new: true, again: false',
    'people: 2, roles: 3',
    'is ada there: false',
    'first: /home, all: /home,/cart,/home',
    'grace writes',
  ],
  'non-reentrant-lock.ts': ['again: refused', 'locked afterwards: false'],
  'once.ts': [
    'report of 2027-01-01',
    'processes that ran it: 1',
    'report of 2027-01-02',
    'processes that ran it: 1',
    'report of 2027-01-03',
    'processes that ran it: 1',
    'failed: no file yet',
    "then: { ran: true, value: 'imported' }",
  ],
  'permit-expirable-semaphore.ts': [
    'lent for a while: true',
    'both are lent: true, held: true',
    'got 2 after the lease had ended',
    'lost: true',
  ],
  'queue.ts': [
    'working on urgent, 3 are waiting',
    'done: true',
    'next: mail, print',
    'last: scan',
    'left: undefined',
  ],
  'rate-limiter.ts': ['200, 2 left', '200, 1 left', '200, 0 left', '429, retry soon: true', 'went on'],
  'read-write-lock.ts': [
    'two have read together',
    'a reader during a write: false',
    'the writer reads what it has written',
    'a writer during a read: false',
  ],
  'red-lock.ts': ['a majority is held: true', 'locked afterwards: false'],
  'reliable-queue.ts': [
    'done: mail (delivery 1), print (delivery 1)',
    'dead: scan, after 2 deliveries: Error: no scanner',
  ],
  'reliable-topic.ts': [
    'coffee, delivery 1',
    'tea, delivery 1',
    'out of tea',
    'tea, delivery 2',
    'subscribers: 1',
    'cake, delivery 1',
  ],
  'priority-queue.ts': [
    'taken: 2 mail',
    '1 alarm',
    '1 alarm',
    '2 print',
    '3 report',
    'the most urgent: 1 alarm',
    'the least urgent: 3 report',
    'left: 1 alarm, 2 print',
  ],
  'bounded-queue.ts': ['read: 1, 2, 3, 4, 5', 'full: true, room for 2'],
  'ring-buffer.ts': [
    'full: true',
    'login',
    'query',
    'logout',
    'the last two: query, logout',
    'polled: query, left: logout',
  ],
  'run-as-thread.ts': ['outer holds 1', 'inner holds 2', 'outer still holds 1', 'locked afterwards: false'],
  'scored-sorted-set.ts': [
    'Alan: 125',
    'Grace 140',
    'Alan 125',
    'above 130: Grace',
    'first: make tea',
    'then: put out the fire',
    'left: water the plants',
  ],
  'semaphore.ts': ['at most 2 were inside', 'two more: false', 'two: true'],
  'sentinels.ts': ['locked at the master, and at a replica'],
  'set.ts': [
    'new: true, again: false',
    '2 more',
    'both: true',
    'blocked and seen: 10.0.0.2',
    'left: 10.0.0.1,10.0.0.3',
    'walked through 3',
  ],
  'single-server.ts': ['locked at a single server'],
  'snowflake.ts': [
    'rising: true, different: 10000',
    'node 0, number 0 of its millisecond',
    'made less than a minute ago: true',
  ],
  'sorted-set.ts': ['new: true, again: false', 'from -1.5 to 100', 'the lowest: -1.5,7', '9', '10', '100'],
  'spin-lock.ts': ['it was given back'],
  'stream.ts': [
    'pen, delivery 1: sent',
    'bomb, delivery 1: failed',
    'ink, delivery 1: sent',
    'bomb, delivery 2: failed',
    'pending: 0',
    'dead: bomb',
  ],
  'transfer-queue.ts': ['without a consumer: false', 'handed over: tea', 'in time: false, left: 0'],
  'local-cached-map-cache.ts': ['s1: Ada', 'kept there: s1,s2', 's1: Grace', 's2 is over: true'],
  'local-cached-map.ts': [
    'apple: 3',
    'of two, missing: true',
    'apple: 5',
    'confirmed by all: true',
    'pear: 6',
  ],
  'cache.ts': ['prices: 100, loads: 1', 'stale: 100', 'fresh: 120, loads: 2', 'deleted: true'],
  'map-cache.ts': [
    'new: true',
    'absent: true',
    'user: Ada',
    'removed: s2 of Alan',
    'left: s1,s3',
    'ends: true',
    'ends: false',
  ],
  'map-cache-native.ts': ['code: 4711', 'ends: true', 'later: true', 'first: true', 'ends: false'],
  'maps.ts': ['town: London', 'town: undefined', 'written: 2', 'written: 3', 'name: user 5'],
  'multimap-cache.ts': ['ends: true', 'ends: false', 'ada: tea,milk,sugar', 'carts: grace', 'ada: 0 values'],
  'set-cache.ts': [
    'reserved: true',
    'reserved: false',
    'seats: A1,A2',
    'longer: true',
    'seats: A1',
    'reserved: true',
  ],
  'time-series.ts': [
    '5 values, the last: 19',
    'from 12:01 to 12:03: 21.5,22.5,23.5',
    '2027-01-01T12:04:00.000Z 19 somewhere',
    '2027-01-01T12:03:00.000Z 23.5 kitchen',
    'taken: 20.5,21.5',
    'removed: 2',
    'left: 19',
  ],
  'try-lock.ts': ['at once: false', 'after half a second: false', 'got it, for a minute: true'],
  'work-limiter.ts': ['a b c d e', 'at the same time: 2', 'urgent, usual'],
  'with-lock.ts': ['balance 60', 'balance 100, still held: true', 'locked afterwards: false'],
}

/** Those whose leases, rates or replicas do not wait for a busy machine. */
const timed = [
  'fenced-lock.ts',
  'gcra-rate-limiter.ts',
  'lost-lock.ts',
  'permit-expirable-semaphore.ts',
  'rate-limiter.ts',
  'sentinels.ts',
]

describe('the examples', () => {
  for (const topology of [single, sentinel, cluster]) noLeaks(topology, { except: LEFT })

  it('are all known here', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
    expect(files.toSorted()).toEqual(Object.keys(said).toSorted())
  })

  const run = async (file: string, expected: readonly string[] | RegExp) => {
    await using example = startChild(new URL(file, folder), { env })
    const exit = await example.exited
    const output = example.output.trimEnd()
    if (expected instanceof RegExp) expect(output).toMatch(expected)
    else expect(output.split('\n')).toEqual(expected)
    expect(exit).toEqual({ code: 0, signal: null })
  }

  const named = (isTimed: boolean) =>
    Object.entries(said).filter(([file]) => timed.includes(file) === isTimed)

  it.each(named(false))('%s runs, says what it should and ends', run)

  it.each(named(true))('%s runs, says what it should and ends', { tags: ['timed'] }, run)
})
