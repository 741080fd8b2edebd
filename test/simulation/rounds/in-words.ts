import { nameOf } from '../../../chaos/random-use/objects.js'
import { inShort } from '../../../chaos/random-use/program.js'
import type { Circumstances } from './circumstances.js'
import type { Round } from './draw.js'

/** A round as lines that a person can read. */
export function inWords({ seed, plan, circumstances, playMs }: Round): readonly string[] {
  const { network, disturbances, refusals, clocks, serverSkewsMs, stops } = circumstances
  return [
    `seed "${seed}", ${String(playMs)} ms, watchdog ${String(plan.watchdogMs)} ms`,
    `objects: ${plan.objects.map(nameOf).join(', ')}`,
    ...plan.processes.flatMap(({ clients, flows }, index) => [
      `process p${String(index + 1)}: ${String(clients)} clients`,
      ...flows.map(({ client, program }) => `  client ${String(client)}: ${inShort(program, plan.objects)}`),
    ]),
    `servers: ${serversInWords(circumstances)}`,
    `network: ${JSON.stringify(network)}`,
    `disturbances: ${JSON.stringify(disturbances)}`,
    `refusals: ${JSON.stringify(refusals)}`,
    `clocks: ${JSON.stringify(clocks)}, of servers ${JSON.stringify(serverSkewsMs)}`,
    `stops: ${JSON.stringify(stops)}`,
  ]
}

function serversInWords({ topology, changes, readsReplicas, database, password }: Circumstances): string {
  return [
    topology,
    JSON.stringify(changes),
    `database ${String(database)}`,
    ...(readsReplicas ? ['reads at replicas'] : []),
    ...(password === undefined ? [] : ['a password']),
  ].join(', ')
}
