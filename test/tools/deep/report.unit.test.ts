import { describe, expect, it } from 'vitest'
import type { Check } from '../../../scripts/deep/checks.js'
import { commandOf, hasFound, reportOf, type Outcome } from '../../../scripts/deep/report.js'
import { runCheck } from '../../../scripts/deep/run-check.js'

const node = (title: string, code: string): Check => ({
  kind: 'soak',
  title,
  command: 'node',
  args: ['-e', code],
  env: {},
})

const outcome = (end: Outcome['end'], title: string): Outcome => ({
  check: { kind: 'chaos', title, command: 'npm', args: ['run', 'chaos', '--', 'a || b'], env: { SEED: '1' } },
  end,
  tookMs: 61_234,
  lastLines: ['the', 'end'],
})

describe('the report of the deep tests', () => {
  it('says what was run, for how long, what was found and how to run it again', () => {
    const report = reportOf([outcome(0, 'one'), outcome(1, 'two'), outcome('not begun', 'three')], 7)
    expect(report).toContain('Seed 7. 1 checks found nothing, 1 found something, 1 were not begun in time.')
    expect(report).toContain("| chaos | one | 61 | found nothing | `SEED=1 npm run chaos -- 'a \\|\\| b'` |")
    expect(report).toContain('| chaos | two | 61 | **failed (1)** |')
    expect(report).toContain('| chaos | three | 61 | not begun: the time was over |')
    expect(report).toContain('## two\n\n```text\nthe\nend\n```')
    expect(report).not.toContain('## one')
  })

  it('counts a check that was ended by a signal as a find, and one that was not begun not', () => {
    expect(
      [outcome('SIGKILL', ''), outcome(2, ''), outcome(0, ''), outcome('not begun', '')].map(hasFound),
    ).toEqual([true, true, false, false])
  })

  it('runs checks with the Node that npm brings, from a shell as well', () => {
    expect(commandOf(node('a', '0'))).toBe('npx node -e 0')
  })
})

describe('a check', () => {
  it('ends with its exit code and its last lines', async () => {
    const result = await runCheck(
      node('fails', 'console.log("x\\n".repeat(200) + "the end"); process.exitCode = 3'),
    )
    expect(result.end).toBe(3)
    expect(result.lastLines.length).toBeLessThanOrEqual(80)
    expect(result.lastLines.at(-1)).toBe('the end')
  })

  it('that is ended by a signal has no exit code', async () => {
    expect((await runCheck(node('dies', 'process.kill(process.pid, "SIGKILL")'))).end).toBe('SIGKILL')
  })
})
