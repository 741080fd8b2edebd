import { describe, expect, it } from 'vitest'
import { LOCKS } from '../../../chaos/history.js'
import { readOptions, type Plan } from '../../../chaos/options.js'

const plan = (...args: string[]): Plan => {
  const task = readOptions(args)
  if (task.what === 'runs') return task.plan
  throw new Error('Expected runs')
}

describe('the command line of the chaos suite', () => {
  it('goes over all pairs that make sense, and divides the time', () => {
    const { pairs, runMs } = plan('--minutes', '19')
    expect(pairs).toHaveLength(3 * (LOCKS.length - 1) + 1)
    expect(runMs).toBe(60_000)
    expect(pairs.filter(({ lock }) => lock === 'redlock')).toEqual([
      { topology: 'redlock5', lock: 'redlock' },
    ])
  })

  it('takes names one by one or with commas between', () => {
    const { pairs } = plan('--topology', 'single,cluster', '--lock', 'fair', '--lock', 'rw', '--seed', '1')
    expect(pairs).toEqual([
      { topology: 'single', lock: 'fair' },
      { topology: 'single', lock: 'rw' },
      { topology: 'cluster', lock: 'fair' },
      { topology: 'cluster', lock: 'rw' },
    ])
  })

  it('takes fractions of minutes', () => {
    expect(plan('--minutes', '0.5', '--topology', 'single', '--lock', 'rlock').runMs).toBe(30_000)
  })

  it('chooses a seed where none is given', () => {
    expect(plan('--topology', 'single').seed).toBeGreaterThanOrEqual(0)
  })

  it.each([
    [['--minutes', 'many'], '--minutes'],
    [['--minutes', '0.1'], '--minutes'],
    [['--minutes', ''], '--minutes'],
    [['--topology', 'ring'], '--topology'],
    [['--lock', 'rlock,padlock'], 'padlock'],
    [['--topology', 'single', '--lock', 'redlock'], 'go together'],
    [['--clients', '2'], '--clients'],
    [['--seed', '1.5'], '--seed'],
    [['--lease-ms', '1'], '--lease-ms'],
    [['--topology', 'cluster', '--synced-replicas', '2'], 'cluster'],
    [['--synced-replicas', '1'], 'single'],
    [['--colour'], '--colour'],
  ])('says what is wrong with %j', (args, what) => {
    expect(() => readOptions(args)).toThrow(what)
  })

  it('helps', () => {
    expect(readOptions(['--help'])).toEqual({ what: 'help' })
  })
})
