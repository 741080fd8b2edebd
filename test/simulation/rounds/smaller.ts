import type { ProcessPlan } from '../../../chaos/random-use/mixes.js'
import type { Program, Use } from '../../../chaos/random-use/program.js'
import type { Circumstances } from './circumstances.js'
import type { Round } from './draw.js'

/** Programs that go on for less than this show nothing. */
const SHORTEST_MS = 20

/** Rounds that have a little less than another one, those that lack most first. */
export function* smallerThan(round: Round): Generator<Round> {
  yield* withoutOneProcess(round)
  if (round.playMs >= 2 * SHORTEST_MS) yield { ...round, playMs: Math.round(round.playMs / 2) }
  for (const circumstances of calmerThan(round.circumstances)) yield { ...round, circumstances }
  yield* withSmallerProcess(round, withoutOneFlow)
  yield* withSmallerProcess(round, withShorterProgram)
}

function* withoutOneProcess(round: Round): Generator<Round> {
  const { plan, circumstances } = round
  if (plan.processes.length === 1) return
  for (const index of plan.processes.keys())
    yield {
      ...round,
      plan: { ...plan, processes: without(plan.processes, index) },
      circumstances: {
        ...circumstances,
        clocks: without(circumstances.clocks, index),
        stops: circumstances.stops.flatMap((stop) =>
          stop.process === index ? [] : [{ ...stop, process: stop.process - Number(stop.process > index) }],
        ),
      },
    }
}

/** Circumstances that lack one thing. */
function* calmerThan(circumstances: Circumstances): Generator<Circumstances> {
  const { network, disturbances, refusals, changes, clocks, serverSkewsMs, stops } = circumstances
  for (const index of stops.keys()) yield { ...circumstances, stops: without(stops, index) }
  for (const rest of withoutOneKey(disturbances)) yield { ...circumstances, disturbances: rest }
  for (const rest of withoutOneKey(refusals)) yield { ...circumstances, refusals: rest }
  for (const rest of withoutOneKey(changes)) yield { ...circumstances, changes: rest }
  if (circumstances.topology !== 'single') yield { ...circumstances, topology: 'single', changes: {} }
  if (circumstances.database !== 0) yield { ...circumstances, database: 0 }
  if (circumstances.readsReplicas) yield { ...circumstances, readsReplicas: false }
  const { password, ...open } = circumstances
  if (password !== undefined) yield open
  for (const rest of withoutOneKey(network)) yield { ...circumstances, network: rest }
  if ([...clocks, ...serverSkewsMs].some((clock) => clock !== 0 && clock !== TRUE_TIME))
    yield {
      ...circumstances,
      clocks: clocks.map(() => TRUE_TIME),
      serverSkewsMs: serverSkewsMs.map(() => 0),
    }
}

const TRUE_TIME = {}

function* withSmallerProcess(
  round: Round,
  smaller: (process: ProcessPlan) => Iterable<ProcessPlan>,
): Generator<Round> {
  const { plan } = round
  for (const [index, process] of plan.processes.entries())
    for (const less of smaller(process))
      yield { ...round, plan: { ...plan, processes: plan.processes.with(index, less) } }
}

function* withoutOneFlow(process: ProcessPlan): Generator<ProcessPlan> {
  const { flows } = process
  if (flows.length === 1) return
  for (const index of flows.keys()) yield { ...process, flows: without(flows, index) }
}

function* withShorterProgram(process: ProcessPlan): Generator<ProcessPlan> {
  const { flows } = process
  for (const [index, flow] of flows.entries())
    for (const program of shorterThan(flow.program))
      yield { ...process, flows: flows.with(index, { ...flow, program }) }
}

/** Programs that lack one step: with all that is in it, or only what is around that, or one step in it. */
function* shorterThan(program: Program): Generator<Program> {
  for (const [index, step] of program.entries()) {
    if (program.length > 1) yield without(program, index)
    if (step.do === 'use') for (const use of simplerThan(step)) yield program.with(index, use)
    if (!('steps' in step)) continue
    if (step.steps.length > 0) yield program.toSpliced(index, 1, ...step.steps)
    for (const steps of shorterThan(step.steps)) yield program.with(index, { ...step, steps })
  }
}

/** Uses that lack one call, or are no batch. */
function* simplerThan(use: Use): Generator<Use> {
  const { calls, how } = use
  if (calls.length > 1) for (const index of calls.keys()) yield { ...use, calls: without(calls, index) }
  if (how !== 'one by one') yield { ...use, how: 'one by one' }
}

function without<T>(items: readonly T[], index: number): T[] {
  return items.toSpliced(index, 1)
}

function* withoutOneKey<T extends object>(record: T): Generator<T> {
  for (const key of Object.keys(record))
    yield Object.fromEntries(Object.entries(record).filter(([each]) => each !== key)) as T
}
