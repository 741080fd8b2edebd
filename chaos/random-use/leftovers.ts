import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type RedissonClient } from '../../src/index.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import type { Entry } from '../history.js'
import { mayRemain, permitsAtRest, type Remaining } from './check/remains.js'
import { wrongSums } from './data/read-all.js'
import type { RandomGround, Stage } from './ground.js'
import type { RoundPlan } from './mixes.js'
import { isPermits, type PermitsObject, type SharedObject } from './objects.js'

/** When the network is well, what is given back in the background is given back within this time. */
const CLEAN_WITHIN_MS = 12_000
const LOOK_EVERY_MS = 100

/** Looks for keys that are left when nothing is held. Resolves as soon as there are none, or with those that do not go. */
export async function leftovers({ masters }: Stage, plan: RoundPlan): Promise<string[]> {
  const left = await untilEmpty(async () => {
    const keys = (await Promise.all(masters.map(keysOf))).flat()
    return keys.filter((key) => !mayRemain(key, plan))
  })
  return left.map(({ key, ttlMs }) => `is left with ${key} (${String(ttlMs)} ms)`)
}

/** Looks for permits that were made or lost, in the same way. */
export async function wrongPermits(
  { direct }: RandomGround,
  objects: readonly SharedObject[],
  entries: readonly Entry[],
): Promise<string[]> {
  await using client = await Redisson.create(direct)
  return await untilEmpty(() => wrongCounts(client, objects, entries))
}

/** Looks for adders without the sum of what all clients have added, in the same way. Their clients are still there. */
export async function wrongTallies(
  { direct }: RandomGround,
  objects: readonly SharedObject[],
  entries: readonly Entry[],
): Promise<string[]> {
  await using client = await Redisson.create(direct)
  return await untilEmpty(() => wrongSums(client, objects, entries))
}

/** The semaphores that have more or fewer permits than they may have at rest. */
export async function wrongCounts(
  client: RedissonClient,
  objects: readonly SharedObject[],
  entries: readonly Entry[],
): Promise<string[]> {
  const counts = objects.filter(isPermits).map(async (object) => wrongCount(client, object, entries))
  return (await Promise.all(counts)).flat()
}

async function wrongCount(
  client: RedissonClient,
  object: PermitsObject,
  entries: readonly Entry[],
): Promise<string[]> {
  const { kind, name } = object
  const semaphore =
    kind === 'semaphore' ? client.getSemaphore(name) : client.getPermitExpirableSemaphore(name)
  const count = await semaphore.availablePermits()
  const { least, most } = permitsAtRest(object, entries)
  if (count >= least && count <= most) return []
  const expected = least === most ? String(most) : `${String(least)} to ${String(most)}`
  return [`has ${String(count)} permits of ${name}, expected ${expected}`]
}

/** Asks until nothing is found, or it is too late. */
async function untilEmpty<T>(find: () => Promise<T[]>): Promise<T[]> {
  const deadline = performance.now() + CLEAN_WITHIN_MS
  for (;;) {
    const found = await find()
    if (found.length === 0 || performance.now() > deadline) return found
    await sleep(LOOK_EVERY_MS)
  }
}

async function keysOf(node: RunningNode): Promise<Remaining[]> {
  const keys = (await node.command('KEYS', '*')) as string[]
  return await Promise.all(keys.map(async (key) => ({ key, ttlMs: Number(await node.command('PTTL', key)) })))
}
