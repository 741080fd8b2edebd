import { describe, expect, it } from 'vitest'
import { readOptions } from '../../../scripts/deep/options.js'

describe('the command line of the deep tests', () => {
  it('takes all kinds, a seed and two hours where it says nothing', () => {
    expect(readOptions([])).toMatchObject({
      what: 'checks',
      plan: {
        kinds: ['random', 'chaos', 'soak', 'interop', 'matrix'],
        runMs: 7_200_000,
        report: 'deep-report.md',
      },
    })
  })

  it('takes what it is given', () => {
    expect(
      readOptions(['--minutes', '0.5', '--only', 'matrix,soak', '--seed', '7', '--report', 'r.md']),
    ).toEqual({
      what: 'checks',
      plan: { kinds: ['soak', 'matrix'], runMs: 30_000, seed: 7, report: 'r.md' },
    })
    expect(readOptions(['--help'])).toEqual({ what: 'help' })
  })

  it.each([
    [['--only', 'luck'], '--only'],
    [['--minutes', ''], '--minutes'],
    [['--minutes', '0'], '--minutes'],
    [['--seed', '1.5'], '--seed'],
    [['--color'], '--color'],
  ])('says what is wrong with %j', (args, what) => {
    expect(() => readOptions(args)).toThrow(what)
  })
})
