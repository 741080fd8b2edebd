import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** How many tests may pass only when they are run once more. With more of them the run fails: something is wrong with all. */
const MOST_FLAKY = 5

/**
 * Names what the gate leaves to `npm run test:deep`, and what passed only when it was run once more.
 *
 * A flaky test does not fail the run. It gets a line in `test/known-flaky.md` and the tag `flaky`, which takes it out of the gate until
 * its cause is known.
 */
export class GateReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    for (const line of [...leftToDeep(tests), ...flakyOnes(tests)]) console.log(line)
    if (tests.filter(isFlaky).length > MOST_FLAKY) process.exitCode = 1
  }
}

/** Tests that the tags of the run leave out, counted by tag. */
function leftToDeep(tests: readonly TestCase[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const test of tests) {
    if (test.result().state !== 'skipped') continue
    for (const tag of test.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  if (counts.size === 0) return []
  const shown = [...counts].map(([tag, count]) => `${String(count)} ${tag}`).join(', ')
  return [`Left to npm run test:deep: ${shown}`]
}

function flakyOnes(tests: readonly TestCase[]): readonly string[] {
  const flaky = tests.filter(isFlaky)
  if (flaky.length === 0) return []
  const shown = flaky.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}\n${reasonOf(test)}`)
  const verdict = flaky.length > MOST_FLAKY ? `, and more than ${String(MOST_FLAKY)} fail the run` : ''
  return [`\nFlaky: ${String(flaky.length)} passed when they were run once more${verdict}`, ...shown]
}

function isFlaky(test: TestCase): boolean {
  return test.diagnostic()?.flaky === true
}

/** What failed the first time. */
function reasonOf(test: TestCase): string {
  const [error] = test.result().errors ?? []
  return (error?.stack ?? error?.message ?? 'no error was kept').replaceAll(/^/gm, '    ')
}
