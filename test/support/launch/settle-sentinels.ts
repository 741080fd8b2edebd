import { isDeepStrictEqual } from 'node:util'
import { eventually } from '../eventually.js'
import { askEach } from './ask-each.js'
import { viewOf, type SentinelView } from './sentinel-view.js'
import type { ServerNode } from './topology.js'

/** How often sentinels look at servers, ask each other, and introduce themselves. */
export type Pace = 'natural' | 'hurried'

/**
 * In milliseconds, by the names that `SENTINEL DEBUG` has for them.
 *
 * A server that calls itself master without being one is corrected after four times the period between introductions.
 * Even in a hurry that must be longer than it takes, a second, to notice that a promotion has worked: otherwise the
 * other sentinels correct the new master. And what a replica said counts for five pings, which must be longer than the
 * second after which it is asked again: otherwise there is none to promote.
 */
const PERIODS: Readonly<Record<Pace, readonly (string | number)[]>> = {
  natural: ['PING-PERIOD', 1_000, 'ASK-PERIOD', 1_000, 'INFO-PERIOD', 10_000, 'PUBLISH-PERIOD', 2_000],
  hurried: ['PING-PERIOD', 300, 'ASK-PERIOD', 100, 'INFO-PERIOD', 100, 'PUBLISH-PERIOD', 500],
}
/** For sentinels that have nothing to promote yet. */
const GETTING_TO_KNOW = ['INFO-PERIOD', 100, 'PUBLISH-PERIOD', 50]

/** Changes the pace of sentinels, where they can be hurried: from version 7 on. */
export async function setPace(sentinels: readonly ServerNode[], pace: Pace): Promise<void> {
  await askEach(sentinels, 'SENTINEL', 'DEBUG', ...PERIODS[pace]).catch(ignore)
}

/** What sentinels have to find out. */
interface Surroundings {
  readonly masterName: string
  readonly replicas: number
}

/** Resolves when every sentinel knows the master, its replicas and the other sentinels. The pace has to be set again. */
export async function settleSentinels(
  sentinels: readonly ServerNode[],
  { masterName, replicas }: Surroundings,
): Promise<void> {
  await askEach(sentinels, 'SENTINEL', 'DEBUG', ...GETTING_TO_KNOW).catch(ignore)
  const settled: SentinelView = {
    flags: 'master',
    replicas,
    healthyReplicas: replicas,
    others: sentinels.length - 1,
  }
  const demandSettled = async (): Promise<void> => {
    const views = await Promise.all(sentinels.map((sentinel) => viewOf(sentinel, masterName)))
    const other = views.find((view) => !isDeepStrictEqual(view, settled))
    if (other) throw new Error(`Expected ${JSON.stringify(settled)}, got ${JSON.stringify(other)}`)
  }
  await eventually(demandSettled, { withinMs: 30_000, what: 'the sentinels to find each other' })
}

function ignore(): void {}
