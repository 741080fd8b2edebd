import type { RedissonClient, RLock } from '../../../src/index.js'

/** Two locks as one. What a multi-lock hides from its type, because not all members can tell it, is there all the same. */
export function twoAsOne(client: RedissonClient, name: string): RLock {
  return client.getMultiLock(client.getLock(name), client.getLock(`${name}-too`)) as RLock
}
