import { afterAll, beforeAll } from 'vitest'
import { Redisson, type CommonOptions, type RedissonClient } from '../../src/index.js'
import type { ServerNode, Topology } from './launch/topology.js'

/** Two clients of the same servers, as two processes have them. */
export interface Clients {
  readonly mine: RedissonClient
  readonly other: RedissonClient
}

/** Connects two clients for the tests of a file or `describe`, and shuts them down after the last. */
export function twoClients(topology: Topology<ServerNode>, settings: CommonOptions = {}): Clients {
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    for (let each = 0; each < 2; each += 1) {
      clients.push(await Redisson.create({ ...topology.options(), ...settings }))
    }
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
  })

  return {
    get mine() {
      return there(clients[0])
    },
    get other() {
      return there(clients[1])
    },
  }
}

function there(client: RedissonClient | undefined): RedissonClient {
  if (client) return client
  throw new Error('The clients connect before the first test, and not sooner')
}
