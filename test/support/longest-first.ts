import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take twenty seconds and more, most of them because they wait. One that begins last runs alone at the end. Their sizes do not
 * say so, and a fresh clone has no times of an earlier run.
 */
export const LONG = [
  'test/interop/single.interop.test.ts',
  'test/simulation/schedules.unit.test.ts',
  'test/simulation/scenarios.unit.test.ts',
  'test/engine/connection/broken-connections.faults.test.ts',
  'test/locks/read-write/read-write-lock.test.ts',
  'test/client/away.faults.test.ts',
  'test/locks/reentrant/ownership.test.ts',
  'test/locks/reentrant/lock.test.ts',
  'test/locks/fenced/fenced-lock.test.ts',
  'test/prose/examples.test.ts',
  'test/locks/spin/spin-lock.test.ts',
  'test/contracts/expirable/expirable.test.ts',
  'test/locks/reentrant/non-reentrant-lock.test.ts',
  'test/locks/fair/fair-lock.test.ts',
  'test/package/package.test.ts',
  'test/tools/bench/workloads.test.ts',
  'test/engine/command/lost-replies.faults.test.ts',
  'test/engine/connection/shared-client.test.ts',
  'test/locks/multi/multi-lock.test.ts',
  'test/locks/multi-value/multi-value-lock.test.ts',
  'test/services/batch/batch-losses.faults.test.ts',
] as const

/** Runs the files first that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place < 0 ? LONG.length : place
}
