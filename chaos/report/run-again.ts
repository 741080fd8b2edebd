import type { Verdict } from '../check.js'

/** The command that runs the same once more: the same faults in the same order, though not at the same microsecond. */
export function runAgain({ run, counts }: Verdict): string {
  const minutes = Math.ceil(counts.durationMs / 6_000) / 10
  const options = {
    topology: run.topology,
    lock: run.lock,
    seed: run.seed,
    'synced-replicas': run.syncedReplicas,
    'lease-ms': run.leaseMs,
    clients: counts.clients,
    minutes,
  }
  const words = Object.entries(options).map(([name, value]) => `--${name} ${String(value)}`)
  return `npm run chaos -- ${words.join(' ')}`
}
