import type { CommonOptions, RedissonOptions, ServerOptions } from '../src/index.js'
import type { Plan } from './options.js'

/** Impatient, so that much happens in little time. */
const IMPATIENT: ServerOptions = {
  timeout: 500,
  retryAttempts: 3,
  retryDelay: 100,
  reconnectionDelay: 50,
  pingConnectionInterval: 1_000,
}

/** Completes what is needed to connect by what is needed to live through faults. */
export function settingsFor(
  connection: RedissonOptions,
  { leaseMs }: Pick<Plan, 'leaseMs'>,
): RedissonOptions {
  const common: CommonOptions = {
    lockWatchdogTimeout: leaseMs,
    fairLockWaitTimeout: leaseMs,
    slavesSyncTimeout: 300,
  }
  const sections = Object.entries(connection).map(([name, section]) => [
    name,
    { ...IMPATIENT, ...(section as object) },
  ])
  return { ...common, ...Object.fromEntries(sections) } as RedissonOptions
}
