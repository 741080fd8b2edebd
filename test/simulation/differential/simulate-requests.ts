import type { Bytes } from '../server/reply.js'
import { Server } from '../server/server.js'
import type { Step, Streams } from './replay.js'
import { SimulatedClient } from './simulated-client.js'
import { commandsOfVersion } from './version-differences.js'

/** What a connection sends. */
export type Request<Name extends string> = readonly [Name, ...Bytes[]]

/** What was sent to a simulated server, and what its connections have received. */
export interface Simulated {
  readonly steps: readonly Step[]
  readonly streams: Streams
}

/**
 * Sends requests to a new simulated server, but for those that the version of the real server does not have.
 *
 * @param names - the connections, in the order of their ids
 */
export function simulateRequests<Name extends string>(
  names: readonly Name[],
  requests: readonly Request<Name>[],
): Simulated {
  const server = new Server({ now: Date.now, draw: () => 0 })
  const clients = new Map(names.map((name) => [name, new SimulatedClient(server)]))
  const sent = requests.filter(([, ...words]) => commandsOfVersion([words]).length > 0)
  const steps = sent.map(([name, ...words]): Step => {
    const client = clients.get(name) as SimulatedClient
    client.send(words)
    return { connection: client.id, words, received: client.received.length }
  })
  const used = new Set(sent.map(([name]) => clients.get(name) as SimulatedClient))
  return { steps, streams: new Map([...used].map(({ id, received }) => [id, received])) }
}
