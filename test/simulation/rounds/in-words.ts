import { nameOf } from '../../../chaos/random-use/objects.js'
import { inShort } from '../../../chaos/random-use/program.js'
import type { Round } from './draw.js'

/** A round as lines that a person can read. */
export function inWords({ seed, plan, circumstances, playMs }: Round): readonly string[] {
  const { network, disturbances, refusals, database, clocks, serverSkewsMs, stops } = circumstances
  return [
    `seed "${seed}", ${String(playMs)} ms, watchdog ${String(plan.watchdogMs)} ms`,
    `objects: ${plan.objects.map(nameOf).join(', ')}`,
    ...plan.processes.flatMap(({ clients, flows }, index) => [
      `process p${String(index + 1)}: ${String(clients)} clients`,
      ...flows.map(({ client, program }) => `  client ${String(client)}: ${inShort(program, plan.objects)}`),
    ]),
    `network: ${JSON.stringify(network)}`,
    `disturbances: ${JSON.stringify(disturbances)}`,
    `refusals: ${JSON.stringify(refusals)}, database ${String(database)}`,
    `clocks: ${JSON.stringify(clocks)}, of servers ${JSON.stringify(serverSkewsMs)}`,
    `stops: ${JSON.stringify(stops)}`,
  ]
}
