import type { ServerNode } from '../test/support/launch/topology.js'
import { orTimeout } from './or-timeout.js'
import { Cell } from './cell.js'
import type { Contender } from './contenders/contender.js'
import { ioredisson } from './contenders/ioredisson.js'
import type { Sizes } from './sizes.js'
import { Standings, type Pair, type Result } from './standings.js'
import type { Workload } from './workloads/workload.js'

export interface Round {
  readonly nodes: readonly ServerNode[]
  readonly peers: readonly Contender[]
  readonly sizes: Sizes
  /** Hears of each contender whose turn it is. */
  readonly onTurn: (contender: Contender, round: number) => void
}

/**
 * Measures all contenders at one workload. Each is followed by this library, so that both of a pair have the same machine,
 * however busy it is.
 */
export async function measureWorkload(
  workload: Workload,
  { nodes, peers, sizes, onTurn }: Round,
): Promise<Standings> {
  const asked = peers.filter(({ workloads: names }) => names?.includes(workload.name) ?? true)
  const others = [...(workload.floor ? [workload.floor] : []), ...asked]
  const able = others.filter(({ cannot }) => cannot[workload.kind] === undefined)
  const pairs = new Map<Contender, Pair[]>(others.map((contender) => [contender, []]))
  const alone: Result[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const turn = (contender: Contender): Promise<Result> => {
      onTurn(contender, round)
      return runCell(workload, contender, nodes, sizes)
    }
    for (const contender of able) {
      const theirs = await turn(contender)
      pairs.get(contender)?.push({ theirs, ours: await turn(ioredisson) })
    }
    if (able.length === 0) alone.push(await turn(ioredisson))
  }
  return new Standings(workload, ioredisson, { alone, pairs })
}

/** One contender, once. Never rejects: what one cannot do is no reason to stop. */
export async function runCell(
  workload: Workload,
  contender: Contender,
  nodes: readonly ServerNode[],
  sizes: Sizes,
): Promise<Result> {
  await using cell = await Cell.open(contender, nodes, sizes)
  try {
    return await orTimeout(workload.run(cell), sizes.deadlineMs)
  } catch (error) {
    return { failure: reasonOf(error) }
  }
}

/** One line of it: the one that names the error, where a process wrote down all that it knew. */
function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.join().slice(0, LONGEST_REASON)
}

const LONGEST_REASON = 100
