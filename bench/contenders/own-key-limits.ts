import type { Redis } from 'ioredis'
import { consumeOne } from '../../src/synchronizers/gcra-rate-limiter/gcra-rate-limiter.scripts.js'
import { scriptRunner } from './script-runner.js'
import { KEY_LIMITS, type KeyLimits } from './values.js'

/** The script of this library for one limit, and nothing else of it. */
export function ownKeyLimits(redis: Redis): KeyLimits {
  const run = scriptRunner(redis)
  return {
    consume: async (name, key) => {
      const call = { keys: { state: `plain:limit:${name}:${key}` }, args: { cost: 1, ...KEY_LIMITS[name] } }
      const [passes] = (await run(consumeOne, call)) as readonly number[]
      return passes === 1
    },
  }
}
