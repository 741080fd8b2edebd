import { describe, expect, it } from 'vitest'
import { reportRuns } from '../../../../chaos/report.js'
import { Tale } from '../check/tale.js'

describe('the report of runs', () => {
  const good = new Tale({ seed: 1 }).fault('tcp-cut', 1, 2).visits('a/0', 'h1', [2, 5])
  const calm = new Tale({ seed: 2 })
    .visits('a/0', 'h1', [2, 5])
    .visits('b/0', 'h2', [6, 8])
    .fault('server-kill', 9, 60_000)
  const measured = new Tale({ lock: 'fenced', topology: 'sentinel' })
    .fault('master-kill', 1, 2)
    .fault('planned-failover', 1, 2)
    .visits('a/0', 'h1', [3, 6], 1)
    .visits('b/0', 'h2', [5, 9], 1)
  const broken = new Tale({ lock: 'redlock', topology: 'redlock5', seed: 4 })
    .starts('a')
    .visits('a/0', 'h1', [3, 6])
    .visits('a/1', 'h2', [5, 9])

  const report = reportRuns([good, measured, calm, broken].map(({ verdict }) => verdict))
  /** The cells of the rows of a table, by its heading. */
  const rows = (heading: string): string[][] => {
    const [, section = ''] = report.split(`## ${heading}\n`)
    const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
    return lines.slice(2).map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  }

  it('counts runs of the same together', () => {
    expect(rows('What was done')).toEqual([
      ['rlock', 'single', '0', '2', '1.0', '2', '0', '6', '3', '1', '0.0 s'],
      ['fenced', 'sentinel', '0', '1', '0.0', '2', '2', '4', '2', '1', '0.0 s'],
      ['redlock', 'redlock5', '0', '1', '0.0', '0', '0', '4', '2', '0', '0.0 s'],
    ])
  })

  it('says what was found, promised or not', () => {
    expect(rows('What was found')).toEqual([
      ['rlock', 'single', '0', '1', '0', '0', '0', '0', '0'],
      ['fenced', 'sentinel', '0', '2', '1', '0', '0', '1', '0'],
      ['redlock', 'redlock5', '0', '2', '1', '0', '0', '0', '1'],
    ])
  })

  it('says how often, and how seldom at most', () => {
    expect(rows('How often')).toEqual([
      ['rlock', 'single', '0', '–', '0 in 3 (< 1 000)', '–', '0 in 3 (< 1 000)', '–', '0 in 3 (< 1 000)'],
      [
        'fenced',
        'sentinel',
        '0',
        '1 in 2 (0.5)',
        '1 in 2 (500)',
        '0 in 2 (< 1.5)',
        '0 in 2 (< 1 500)',
        '1 in 2 (0.5)',
        '1 in 2 (500)',
      ],
      ['redlock', 'redlock5', '0', '–', '1 in 2 (500)', '–', '0 in 2 (< 1 500)', '–', '0 in 2 (< 1 500)'],
    ])
  })

  it('counts faults by kind and topology', () => {
    expect(rows('Faults')).toEqual([
      ['master-kill', '0', '1', '0'],
      ['planned-failover', '0', '1', '0'],
      ['server-kill', '1', '0', '0'],
      ['tcp-cut', '1', '0', '0'],
    ])
  })

  it('names the runs that broke a promise, by how to run them again', () => {
    expect(report).toContain(
      '- `npm run chaos -- --topology redlock5 --lock redlock --seed 4 --synced-replicas 0 --lease-ms 2000 --clients 1 --minutes 0.1`: 1, first expected one holder at a time of lock, got 2 for 1.0 ms: a/0, a/1',
    )
    expect(reportRuns([good.verdict])).toContain('None in 1 runs.')
  })

  it('has tables whose rows are as long as their heads', () => {
    const tables = report.split('\n\n').filter((block) => block.startsWith('|'))
    expect(tables).toHaveLength(4)
    for (const table of tables) {
      const lines = table.split('\n')
      expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1)
      expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    }
  })
})
