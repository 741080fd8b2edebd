import type { RedissonClient } from '../../src/index.js'
import type { SharedObject } from './objects.js'

/** Sets what objects need before they are used. */
export async function setUp(client: RedissonClient, objects: readonly SharedObject[]): Promise<void> {
  for (const object of objects) {
    if (object.kind === 'semaphore') await client.getSemaphore(object.name).trySetPermits(object.permits)
    else if (object.kind === 'expirable')
      await client.getPermitExpirableSemaphore(object.name).trySetPermits(object.permits)
    else if (object.kind === 'rate')
      await client.getRateLimiter(object.name).trySetRate('OVERALL', object.rate, object.intervalMs)
  }
}
