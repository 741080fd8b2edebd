import type { Cell } from '../cell.js'
import type { Inside } from '../client/tasks/inside.js'
import type { Kind } from '../contenders/contender.js'
import type { Outcome } from '../outcome.js'
import { summaryOf } from './summary.js'

export interface LoopPlan {
  readonly kind: Kind
  readonly processes: number
  /** How many there are in each process. */
  readonly flows: number
  readonly inside: Inside
}

/** Has some go in and out of the same thing, again and again. */
export async function runLoops(cell: Cell, { kind, processes, flows, inside }: LoopPlan): Promise<Outcome> {
  const { sections, limitMs } = cell.sizes
  const { processes: wanted = processes } = cell.contender
  const flowsOfEach = (flows * processes) / wanted
  const clients = await cell.clients(wanted)
  await Promise.all(clients.map((client) => client.warmUp(cell.sizes, { kind, flows: flowsOfEach })))
  const task = {
    kind,
    name: 'bench:shared',
    flows: flowsOfEach,
    sections: Math.ceil(sections / wanted),
    limitMs,
    inside,
  }
  const samples = await Promise.all(clients.map((client) => client.perform('loop', task)))
  const summary = summaryOf(samples)
  const done = samples.reduce((sum, sample) => sum + sample.sections, 0)
  const tooMany = samples.reduce((sum, sample) => sum + sample.tooMany, 0)
  return {
    figures: { ...summary, keysLeft: await cell.keysLeft() },
    lost: inside === 'count' ? done - (await cell.counted()) : tooMany,
    waitsMs: samples.flatMap(({ waitsMs }) => waitsMs),
  }
}
