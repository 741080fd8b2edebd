import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const config = fileURLToPath(new URL('fixtures/vitest.config.ts', import.meta.url))

/** Runs tests of which some pass only when they are run once more. */
function run(unsteady: number): { readonly code: number | null; readonly output: string } {
  const args = [vitest, 'run', '--config', config, '--tags-filter', '!timed && !flaky']
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, UNSTEADY: String(unsteady), NO_COLOR: '1' },
  })
  return { code: status, output: stdout }
}

describe('the summary of the gate', () => {
  it('names no test that passed at once, and what is left to the deep tests', () => {
    const { code, output } = run(0)
    expect(code).toBe(0)
    expect(output).not.toContain('Flaky')
    expect(output).toContain('Left to npm run test:deep: 1 timed')
  })

  it('names tests that passed when they were run once more, with what failed first, and ends with the summary of the runner', () => {
    const { code, output } = run(5)
    expect(code).toBe(0)
    expect(output).toContain('Flaky: 5 passed when they were run once more\n')
    for (const n of [0, 1, 2, 3, 4])
      expect(output).toContain(`  unsteady.fixture.ts > unsteady ${String(n)}\n`)
    expect(output).toContain('expected 1 to be 2')
    expect(output.indexOf('Flaky')).toBeLessThan(output.indexOf('Test Files'))
  })

  it('fails the run where more than five tests did so', () => {
    const { code, output } = run(6)
    expect(code).toBe(1)
    expect(output).toContain('Flaky: 6 passed when they were run once more, and more than 5 fail the run')
  })
})
