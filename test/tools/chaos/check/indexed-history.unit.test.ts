import { describe, expect, it } from 'vitest'
import { checkHistory } from '../../../../chaos/check.js'
import type { Entry } from '../../../../chaos/history.js'
import { Tale } from './tale.js'

describe('a history', () => {
  const [run, ...visit] = new Tale().visits('a/0', 'h1', [2, 5]).entries
  const [begin, end, step] = visit

  it('may have entries of one moment in any order', () => {
    const flat = visit.map((entry) => ({ ...entry, at: 5 }) as Entry)
    expect(checkHistory([run as Entry, ...flat.reverse()]).counts.operations.release.ok).toBe(1)
  })

  it.each([
    ['nothing at all', [], 'Expected a history to begin with its run, got nothing'],
    ['no run', visit, 'Expected a history to begin with its run, got {"type":"begin"'],
    [
      'two begins of one id',
      [run, begin, begin],
      'Expected one begin of each id, got another {"type":"begin"',
    ],
    ['an end of nothing', [run, end], 'Expected one end of each operation that began, got {"type":"end"'],
    ['two ends', [run, begin, end, end], 'Expected one end of each operation that began, got {"type":"end"'],
    ['a step of no hold', [run, step], 'Expected steps of holds that were asked for, got {"type":"step"'],
    [
      'a hold that is asked for twice',
      [run, begin, { ...begin, id: 'another' }],
      'Expected one acquisition of each hold, got another {"type":"begin"',
    ],
    [
      'a process that ends before it starts',
      new Tale().ends('a', 1).entries,
      'Expected a process to start first, got {"type":"process"',
    ],
  ])('is no record with %s', (_, entries, message) => {
    expect(() => checkHistory(entries as Entry[])).toThrow(message)
  })
})
