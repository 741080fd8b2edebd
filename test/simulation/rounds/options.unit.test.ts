import { describe, expect, it } from 'vitest'
import { read } from './options.js'

describe('the command line of the simulation', () => {
  it.each([
    ['no option', [], { from: 1, to: 1 }],
    ['a seed', ['--seed', '7'], { from: 7, to: 7 }],
    ['seeds', ['--seeds', '3-5'], { from: 3, to: 5 }],
    ['one of the seeds', ['--seeds', '3'], { from: 3, to: 3 }],
    ['minutes', ['--seed', '7', '--minutes', '2'], { from: 7, to: 2 ** 31, runMs: 120_000 }],
    ['a scenario', ['--scenario', 'all'], { scenario: 'all' }],
  ])('takes %s', (_, args, task) => {
    expect(read(args)).toMatchObject(task)
  })

  it.each([
    ['seeds that go down', ['--seeds', '5-3'], '`--seeds`'],
    ['three seeds', ['--seeds', '1-2-3'], '`--seeds`'],
    ['seeds in hex', ['--seeds', '0x1-0x2'], '`--seeds`'],
    ['a seed that is no number', ['--seed', 'x'], '`--seed`'],
    ['an unknown kind', ['--kind', 'x'], '`--kind`'],
    ['an unknown scenario', ['--scenario', 'x'], '`--scenario`'],
  ])('refuses %s, and names the option', (_, args, option) => {
    expect(() => read(args)).toThrow(option)
  })
})
