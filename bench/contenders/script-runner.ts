import type { Redis } from 'ioredis'
import type { Call } from '../../src/command/operation/operation.js'
import { argumentsOf, type Script } from '../../src/command/operation/script.js'

/** Runs scripts of this library. */
export type RunScript = <K extends string, A extends string>(
  script: Script<K, A, unknown>,
  call: Call<K, A>,
) => Promise<unknown>

/** Runs scripts of this library by ioredis and nothing else: what the library adds to them is its own time. */
export function scriptRunner(redis: Redis): RunScript {
  const loaded = new Map<string, Promise<unknown>>()
  return async (script, call) => {
    const loading = loaded.get(script.sha) ?? redis.script('LOAD', script.source)
    loaded.set(script.sha, loading)
    await loading
    const [sha = '', count = 0, ...values] = argumentsOf(script.sha, script, call, {
      publish: 'publish',
      attempt: 1,
    })
    return redis.evalsha(String(sha), Number(count), ...values)
  }
}
