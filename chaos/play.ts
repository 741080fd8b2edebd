import { join } from 'node:path'
import type { RunningNode } from '../test/support/launch/topology.js'
import type { Arena } from './arena/arena.js'
import type { ClientSettings } from './client/settings.js'
import { RunClock } from './clock.js'
import { Crew } from './crew.js'
import { faultsFor } from './faults/faults.js'
import { inflict } from './inflict.js'
import type { Journal } from './journal.js'
import type { Pair, Plan } from './options.js'
import { Random } from './random.js'
import { elementsOf } from './resource.js'
import { schedule } from './schedule.js'
import { setPermits } from './set-permits.js'
import { settingsFor } from './settings-for.js'

/** The permits of a semaphore. */
const PERMITS = 2

/** How long before the end the last fault may begin. */
const QUIET_MS = 3_000

/** What a run takes place with. */
export interface Stage {
  readonly pair: Pair
  readonly plan: Plan
  /** Where the journals go. */
  readonly folder: string
  readonly arena: Arena
  /** The server of what the locks guard, which has no faults. */
  readonly resource: RunningNode
  readonly journal: Journal
}

/** Has clients work while faults happen. Resolves with those that did not get in any more when all was undone. */
export async function play(stage: Stage): Promise<readonly string[]> {
  const { pair, plan, arena, resource, journal } = stage
  const clock = RunClock.start()
  const { seed, leaseMs, syncedReplicas } = plan
  const permits = pair.lock === 'semaphore' ? PERMITS : 1
  journal.write({ type: 'run', ...pair, seed, syncedReplicas, leaseMs, permits })
  const random = new Random(seed)
  const names = Array.from({ length: random.whole(1, MOST_NAMES) }, (_, index) => `lock-${index + 1}`)
  if (pair.lock === 'semaphore') await setPermits(arena, names, permits)
  const stuck = await work(stage, { clock, random, names })
  for (const name of names) {
    journal.write({ type: 'resource', at: clock.now(), name, elements: await elementsOf(resource, name) })
  }
  return stuck
}

const MOST_NAMES = 3

interface Scene {
  readonly clock: RunClock
  readonly random: Random
  readonly names: readonly string[]
}

async function work(stage: Stage, scene: Scene): Promise<readonly string[]> {
  const { pair, plan, arena, journal } = stage
  const { clock, names } = scene
  await using crew = new Crew({
    journal,
    clock,
    settingsOf: (number) => clientSettings(number, stage, scene),
  })
  const desertion = new AbortController()
  const act = async (): Promise<readonly string[]> => {
    await Promise.all(Array.from({ length: plan.clients }, () => crew.hire()))
    await inflict({
      rounds: schedule(plan.seed, faultsFor(pair.topology)),
      ground: { arena, crew, names, leaseMs: plan.leaseMs },
      journal,
      clock,
      until: clock.now() + plan.runMs - QUIET_MS,
      signal: desertion.signal,
    })
    const stuck = await crew.settle()
    if (stuck.length === 0) await crew.dismiss()
    return stuck
  }
  const acting = act()
  try {
    return await Promise.race([acting, crew.deserted])
  } finally {
    desertion.abort()
    await acting.catch(ignore) // what has begun is undone before the servers are stopped
  }
}

function clientSettings(number: number, stage: Stage, { clock, random, names }: Scene): ClientSettings {
  const { pair, plan, folder, arena, resource } = stage
  return {
    process: `client-${number}`,
    origin: clock.origin,
    journal: join(folder, `client-${number}.jsonl`),
    connections: arena.connections.map((connection) => settingsFor(connection, plan)),
    resource: { host: resource.host, port: resource.port },
    lock: pair.lock,
    names,
    syncedReplicas: plan.syncedReplicas,
    leaseMs: plan.leaseMs,
    flows: random.whole(FEWEST_FLOWS, MOST_FLOWS),
    seed: random.seed(),
  }
}

const FEWEST_FLOWS = 3
const MOST_FLOWS = 5

function ignore(): void {}
