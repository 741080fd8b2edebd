import { setTimeout as sleep } from 'node:timers/promises'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { Status, type Bytes, type Reply } from '../server/reply.js'
import { RawClient } from './raw-client.js'

/** A request that a connection has sent to the simulated server. */
export interface Step {
  /** The id of the connection there. */
  readonly connection: number
  readonly words: readonly Bytes[]
  /** How many replies and messages the connection has received once the request is served. */
  readonly received: number
}

/** All that each connection has received, in order. */
export type Streams = ReadonlyMap<number, readonly Reply[]>

/** How long a reply may take. If a real server sends fewer replies than the simulated one, the replay stops, and the comparison fails. */
const REPLIES_WITHIN_MS = 20_000

/** Sends requests to a real server in the same order, over the same number of connections. */
export async function replay(node: HostAndPort, steps: readonly Step[]): Promise<Streams> {
  const connections = new Connections(node)
  try {
    for (const step of steps) if (!(await connections.send(step))) break
    return await connections.streams()
  } finally {
    await connections.close()
  }
}

/** The real connections that stand for those of the simulated server. */
class Connections {
  readonly #node: HostAndPort
  readonly #clients = new Map<number, RawClient>()
  readonly #ids = new Map<number, Bytes>()

  constructor(node: HostAndPort) {
    this.#node = node
  }

  /** Sends a request, and waits until it is served. Returns false if the server has sent too little. */
  async send({ connection, words, received }: Step): Promise<boolean> {
    const client = this.#clients.get(connection) ?? (await this.#open(connection))
    client.write(this.#withRealId(words))
    return await receives(client, received)
  }

  /** What they have received. `RESET` is the last command of each, so that no message is still under way. */
  async streams(): Promise<Streams> {
    for (const client of this.#clients.values()) {
      const resets = resetsIn(client)
      client.write(['RESET'])
      while (resetsIn(client) === resets) await client.untilReceived(client.received.length + 1)
    }
    return new Map([...this.#clients].map(([id, { received }]) => [id, received.slice(0, -1)]))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
  }

  async #open(connection: number): Promise<RawClient> {
    const client = await RawClient.connect(this.#node)
    this.#clients.set(connection, client)
    const id = (await client.command('CLIENT', 'ID')) as number
    this.#ids.set(connection, String(id))
    return client
  }

  /** Ids of connections are those of the server. */
  #withRealId(words: readonly Bytes[]): readonly Bytes[] {
    return words.map((word, n) =>
      /^redirect$/i.test(words[n - 1] ?? '') ? (this.#ids.get(Number(word)) ?? word) : word,
    )
  }
}

function resetsIn({ received }: RawClient): number {
  return received.filter((reply) => reply instanceof Status && reply.text === 'RESET').length
}

async function receives(client: RawClient, count: number): Promise<boolean> {
  if (client.received.length >= count) return true
  const timer = new AbortController()
  const arrival = client.untilReceived(count).then(() => true)
  const patience = sleep(REPLIES_WITHIN_MS, false, { signal: timer.signal }).catch(() => false)
  const isThere = await Promise.race([arrival, patience])
  timer.abort()
  return isThere
}
