import { expect } from 'vitest'
import { askOwner } from '../support/ask-owner.js'
import { untilAwaited } from '../support/channels.js'
import { elsewhere } from '../support/elsewhere.js'
import { eventually } from '../support/eventually.js'
import type { InteropFixture } from './interop-fixture.js'
import { takeInJava, type Give, type LockKind, type SideName, type Thing } from './sides.js'

/** Takes something on one side, as an owner that has nothing yet. */
export function takeOn(bench: InteropFixture, side: SideName, thing: Thing, name: string): Promise<Give> {
  if (side === 'Java') return takeInJava(bench.thread(), thing, name)
  return elsewhere(() => thing.inNode(bench.node[0], name))
}

/**
 * Starts to take something on one side that is not free; resolves when it waits for a message.
 *
 * In Java that is when the thread sleeps. When a writer leaves, Redisson wakes the threads that sleep at that moment: one that
 * has been refused and is about to sleep does not hear of it.
 */
export async function waitOn(
  bench: InteropFixture,
  side: SideName,
  thing: Thing,
  name: string,
): Promise<Waiting> {
  if (side === 'Node') {
    const taken = takeOn(bench, side, thing, name)
    await untilAwaited(bench.topology, name)
    return { taken }
  }
  const thread = bench.thread()
  const taken = takeInJava(thread, thing, name)
  await eventually(() => thread.isAsleep(), { what: 'a thread that sleeps' })
  return { taken }
}

/** A waiter. */
export interface Waiting {
  readonly taken: Promise<Give>
}

/** How long a thing takes to get from a holder on one side to a waiter on the other, in milliseconds, round by round. */
export async function measureHandOver(
  bench: InteropFixture,
  thing: Thing,
  [from, to]: readonly [SideName, SideName],
  rounds: number,
): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const name = round % 2 === 0 ? bench.name() : `{${bench.name()}}:tagged`
    await thing.create(bench.node[0], name)
    const give = await takeOn(bench, from, thing, name)
    const waiting = await waitOn(bench, to, thing, name)
    const startedAt = performance.now()
    await give()
    const giveLater = await waiting.taken
    times.push(performance.now() - startedAt)
    await giveLater()
    await thing.remove(bench.node[0], name)
  }
  return times
}

/** A lease without renewal, in milliseconds. */
const SHORT_MS = 300

/** Demands that a lock leased on one side goes to who waits on the other when the lease ends. */
export async function expectToPassWhenLeaseEnds(
  bench: InteropFixture,
  kind: LockKind,
  [from, to]: readonly [SideName, SideName],
): Promise<void> {
  const name = bench.name()
  if (from === 'Java') {
    await bench.thread().call(...kind.inJava.object(name), ['lock', SHORT_MS, 'MILLISECONDS'])
  } else await kind.lock(bench.node[0], name).acquire({ leaseMs: SHORT_MS })
  const give = await takeOn(bench, to, kind, name)
  await give()
}

/** The one in the middle, to a tenth. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? NaN) * 10) / 10
}

/** A lease is renewed every third of its time, so after as many renewals it is older than it was meant to become. */
const RENEWALS = 3

/** Resolves when a lease has been renewed so often that it would have ended without. */
export async function untilOutlived(bench: InteropFixture, leftMs: () => Promise<number>): Promise<void> {
  const renewalMs = bench.watchdogMs / 10 // less than the third that a renewal adds, because a busy machine renews late
  let [leastMs, renewals] = [Infinity, 0]
  const outlived = async () => {
    const nowMs = await leftMs()
    if (nowMs < 0) throw new Error('Expected a lease that is renewed, but there is none') // or not yet in the replica
    if (nowMs > leastMs + renewalMs) {
      leastMs = nowMs
      renewals += 1
    }
    leastMs = Math.min(leastMs, nowMs)
    return renewals === RENEWALS
  }
  await eventually(outlived, { withinMs: 2 * bench.watchdogMs, what: `${RENEWALS} renewals` })
}

/** The result of a mixed load. */
export interface Count {
  /** What the number is in the end. */
  readonly count: number
  /** What it would be if no two holders had ever overlapped. */
  readonly expected: number
}

const FLOWS = 2

/**
 * Has two clients of either side, with two threads each, go in and out. Inside they add to a number by reading and writing
 * it, and look who else is there.
 *
 * @throws Error if more than the limit were ever inside
 */
export async function countTogether(
  bench: InteropFixture,
  thing: Thing,
  times: number,
  limit = 1,
): Promise<Count> {
  const name = bench.name()
  const [server] = bench.counters.server.nodes
  await server.command('MSET', 'count', 0, 'inside', 0)
  await thing.create(bench.node[0], name)

  const inNode = async (take: () => Promise<Give>): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      const give = await take()
      const inside = Number(await server.command('INCR', 'inside'))
      if (inside > limit) throw new Error(`Expected at most ${limit} inside, got ${inside}`)
      const seen = Number(await server.command('GET', 'count'))
      await server.command('SET', 'count', seen + 1)
      await server.command('DECR', 'inside')
      await give()
    }
  }
  const object = thing.inJava.object(name)
  const task = {
    take: [...object, thing.inJava.take],
    give: [...object, thing.inJava.give],
    times,
    limit,
    counters: bench.counters.java,
  }
  const flows = Array.from({ length: FLOWS }, (_, flow) => [
    ...bench.crowd.node.map((client) => elsewhere(() => inNode(() => thing.inNode(client, name)))),
    ...bench.crowd.java.map((client) => client.thread(`counter ${flow}`).count(task)),
  ]).flat()
  await Promise.all(flows)

  await thing.remove(bench.node[0], name)
  return { count: Number(await server.command('GET', 'count')), expected: flows.length * times }
}

/** The keys that stand for holds of readers. */
export async function markersOf(bench: InteropFixture, name: string): Promise<string[]> {
  const found = await Promise.all(
    bench.topology.nodes.map((node) => node.command('KEYS', `{${name}}:*:rwlock_timeout:*`)),
  )
  return [...new Set(found.flat() as string[])]
}

/** The owners who wait, first come first. */
export async function queueOf(bench: InteropFixture, name: string): Promise<string[]> {
  return (await askOwner(bench.topology, `redisson_lock_queue:{${name}}`, 'LRANGE', 0, -1)) as string[]
}

/** Resolves when that number of waiters wait for a fair lock. */
export async function untilQueued(bench: InteropFixture, name: string, waiters: number): Promise<void> {
  const queued = async () => (await queueOf(bench, name)).length === waiters
  await eventually(queued, { what: `${waiters} in the queue` })
}

/** Demands that all of a lease is left but for what a test may take. */
export function expectAlmost(leftMs: unknown, leaseMs: number): void {
  expect(leftMs).toBeLessThanOrEqual(leaseMs)
  expect(leftMs).toBeGreaterThan(leaseMs - 60_000)
}
