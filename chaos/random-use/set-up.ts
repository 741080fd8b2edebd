import type { RedissonClient } from '../../src/index.js'
import { GROUPS } from './data/group-messages.js'
import type { SharedObject } from './objects.js'

/** So few that clients ask for another block every few calls. */
const IDS_OF_A_BLOCK = 5

/** Sets what objects need before they are used. */
export async function setUp(client: RedissonClient, objects: readonly SharedObject[]): Promise<void> {
  for (const object of objects) {
    if (object.kind === 'semaphore') await client.getSemaphore(object.name).trySetPermits(object.permits)
    else if (object.kind === 'expirable')
      await client.getPermitExpirableSemaphore(object.name).trySetPermits(object.permits)
    else if (object.kind === 'rate')
      await client.getRateLimiter(object.name).trySetRate('OVERALL', object.rate, object.intervalMs)
    else if (object.kind === 'ids') await client.getIdGenerator(object.name).tryInit(1, IDS_OF_A_BLOCK)
    else if (object.kind === 'stream') {
      const stream = client.getStream(object.name)
      for (const group of GROUPS) await stream.createGroup(group, { from: '0', makeStream: true })
    }
  }
}
