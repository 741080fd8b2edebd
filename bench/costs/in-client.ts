import { randomUUID } from 'node:crypto'
import type { RedissonClient } from 'ioredisson'
import { acquire, release } from '../../src/locks/reentrant/lock.scripts.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import type { Take } from '../contenders/contender.js'
import { ownScripts } from '../contenders/own-scripts.js'
import { spreadOf, type Spread } from '../spread.js'

/** What a section of a free lock takes in the client: two calls, and nothing between them. */
export interface SectionCost {
  readonly name: string
  /** Microseconds of user time, the median of the rounds. */
  readonly us: number
  /** To the two scripts on plain ioredis in the same round. */
  readonly toBare: Spread
}

/** Sections of one turn. */
const SECTIONS = 400

/** Turns before those that count, until Node has compiled what they do. */
const WARM_UPS = 10

type Section = () => Promise<unknown>

/**
 * Measures the user time of a section in several forms, which take turns in one process. The first is ioredis alone, and the second adds what the
 * library does with any request. The third adds holds, leases and their renewal, and the others add the ways to find the caller's thread.
 */
export async function sectionCosts(
  { client, node, leaseMs }: { client: RedissonClient; node: RunningNode; leaseMs: number },
  rounds: number,
): Promise<readonly SectionCost[]> {
  const bare = await ownScripts.open([node], { leaseMs })
  const sections: readonly (readonly [string, Section])[] = [
    ['its two scripts on plain ioredis', sectionOf(bare.takes.lock)],
    ['the same by getScript()', await byScripts(client, leaseMs)],
    ['acquire() and unlock() of the hold', acquiring(client)],
    ['lock() and unlock()', locking(client)],
    ['withLock()', () => client.getLock(NAME).withLock(() => undefined)],
  ]
  const turns = sections.map(() => [] as number[])
  for (let round = -WARM_UPS; round < rounds; round += 1)
    for (const [place, [, section]] of sections.entries()) {
      const us = await userMicrosOf(section)
      if (round >= 0) turns[place]?.push(us)
    }
  await bare.close()
  return sections.map(([name], place) => costOf(name, turns[place] ?? [], turns[0] ?? []))
}

const NAME = 'costs of a section'

function sectionOf(take: Take | undefined): Section {
  if (take === undefined) throw new Error('Expected locks, got none')
  return async () => {
    const giveBack = await take(NAME)
    await giveBack()
  }
}

async function byScripts(client: RedissonClient, leaseMs: number): Promise<Section> {
  const { stringCodec } = await import('ioredisson')
  const script = client.getScript({ codec: stringCodec() })
  const keys = { request: `${NAME}:request`, channel: `${NAME}:channel` }
  const counts = { holds: '1', stale: '0', rememberMs: '0' }
  return async () => {
    const owner = `${randomUUID()}:1`
    const { holds, stale, rememberMs } = counts
    const taking = [String(leaseMs), owner, holds, stale, rememberMs]
    await script.evalSha('READ_WRITE', acquire.sha, 'INTEGER', [NAME, keys.request], ...taking)
    const freeing = [owner, holds, stale, '0', 'publish', rememberMs]
    await script.evalSha('READ_WRITE', release.sha, 'INTEGER', [NAME, keys.channel, keys.request], ...freeing)
  }
}

function acquiring(client: RedissonClient): Section {
  return async () => {
    const hold = await client.getLock(NAME).acquire()
    await hold.unlock()
  }
}

function locking(client: RedissonClient): Section {
  return async () => {
    const lock = client.getLock(NAME)
    await lock.lock()
    await lock.unlock()
  }
}

async function userMicrosOf(section: Section): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < SECTIONS; count += 1) await section()
  return process.cpuUsage(before).user / SECTIONS
}

/** The middle of what the turns took, and of their ratios to the turns of the same round. */
export function costOf(name: string, turns: readonly number[], bare: readonly number[]): SectionCost {
  const us = spreadOf(turns)
  const toBare = spreadOf(turns.map((each, round) => each / (bare[round] ?? NaN)))
  if (us === undefined || toBare === undefined) throw new Error('Expected a round at least, got none')
  return { name, us: us.median, toBare }
}
