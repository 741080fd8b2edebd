import type { ServerNode } from '../test/support/launch/topology.js'
import { orTimeout } from './or-timeout.js'
import type { Result } from './outcome.js'
import { Cell } from './cell.js'
import { VALUE_KINDS, type Contender } from './contenders/contender.js'
import { ioredisson } from './contenders/ioredisson.js'
import { reasonOf } from './reason-of.js'
import type { Sizes } from './sizes.js'
import { Standings, type Pair } from './standings.js'
import { takeTurns } from './take-turns.js'
import type { Workload } from './workloads/workload.js'

export interface Round {
  readonly nodes: readonly ServerNode[]
  readonly peers: readonly Contender[]
  readonly sizes: Sizes
  /** Hears of each contender whose turn it is. */
  readonly onTurn: (contender: Contender, round: number) => void
}

/**
 * Measures all contenders at one workload. Each is followed by this library, or takes turns with it, so that both of a pair have the
 * same machine, however busy it is.
 */
export async function measureWorkload(workload: Workload, plan: Round): Promise<Standings> {
  const { peers, sizes, onTurn } = plan
  const asked = peers.filter(({ workloads: names }) => names?.includes(workload.name) ?? isOfLocks(workload))
  const others = [...(workload.floor ? [workload.floor] : []), ...(workload.references ?? []), ...asked]
  const able = others.filter(({ cannot }) => cannot[workload.kind] === undefined)
  const pairs = new Map<Contender, Pair[]>(others.map((contender) => [contender, []]))
  const alone: Result[] = []
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const onTurnOf = (contender: Contender): void => {
      onTurn(contender, round)
    }
    for (const contender of able)
      pairs.get(contender)?.push(...(await measurePair(workload, contender, plan, onTurnOf)))
    if (able.length === 0) alone.push(await runCell(workload, ioredisson, plan.nodes, sizes))
  }
  return new Standings(workload, ioredisson, { alone, pairs })
}

function isOfLocks({ kind }: Workload): boolean {
  return !VALUE_KINDS.some((each) => each === kind)
}

/** A contender and this library in one round: one pair, or as many as they take turns. */
async function measurePair(
  workload: Workload,
  contender: Contender,
  { nodes, sizes }: Pick<Round, 'nodes' | 'sizes'>,
  onTurnOf: (contender: Contender) => void,
): Promise<readonly Pair[]> {
  onTurnOf(contender)
  if (workload.measurements !== undefined) {
    await using theirCell = await Cell.open(contender, nodes, sizes)
    await using ourCell = workload.ownProcesses
      ? await Cell.open(ioredisson, nodes, sizes)
      : Cell.beside(theirCell, ioredisson)
    const [theirs = [], ours = []] = await takeTurns([theirCell, ourCell], workload.measurements)
    return pairsOf(theirs, ours)
  }
  const theirs = await runCell(workload, contender, nodes, sizes)
  onTurnOf(ioredisson)
  return [{ theirs, ours: await runCell(workload, ioredisson, nodes, sizes) }]
}

function pairsOf(theirs: readonly Result[], ours: readonly Result[]): Pair[] {
  return theirs.flatMap((result, turn) => {
    const our = ours[turn]
    return our === undefined ? [] : [{ theirs: result, ours: our }]
  })
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
