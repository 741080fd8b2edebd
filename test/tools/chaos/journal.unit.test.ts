import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunClock } from '../../../chaos/clock.js'
import { Recorder } from '../../../chaos/client/recorder.js'
import type { Entry } from '../../../chaos/history.js'
import { Journal } from '../../../chaos/journal.js'
import { mergeJournals } from '../../../chaos/merge-journals.js'
import { LockTimeoutError } from '../../../src/errors/lock-errors.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaos-suite-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

const step = (at: number): Entry => ({ type: 'step', at, hold: 'h', what: 'holds' })
const beginning: Entry = {
  type: 'run',
  seed: 1,
  lock: 'rlock',
  topology: 'single',
  syncedReplicas: 0,
  leaseMs: 1,
  permits: 1,
}

describe('journals', () => {
  it('have every entry as soon as it is written', () => {
    using journal = new Journal(join(folder, 'one.jsonl'))
    journal.write(step(1))
    expect(readFileSync(join(folder, 'one.jsonl'), 'utf8')).toBe(`${JSON.stringify(step(1))}\n`)
  })

  it('are merged in the order of time, after what was run', async () => {
    using one = new Journal(join(folder, 'one.jsonl'))
    using other = new Journal(join(folder, 'other.jsonl'))
    for (const at of [1, 4]) one.write(step(at))
    other.write(beginning)
    for (const at of [2, 3]) other.write(step(at))
    const merged = [beginning, ...[1, 2, 3, 4].map(step)]
    expect(await mergeJournals(folder)).toEqual(merged)
    expect(await mergeJournals(folder)).toEqual(merged) // what was merged before does not count
  })

  it('may end in the middle of a line', async () => {
    using journal = new Journal(join(folder, 'one.jsonl'))
    journal.write(step(1))
    appendFileSync(join(folder, 'one.jsonl'), '{"type":"st')
    expect(await mergeJournals(folder)).toEqual([step(1)])
  })
})

describe('a recorder', () => {
  const question = { flow: 0, op: 'acquire', side: 'write', name: 'lock-1', hold: 'h' } as const

  const answersTo = async (answer: (recorder: Recorder) => void): Promise<Entry[]> => {
    using journal = new Journal(join(folder, 'one.jsonl'))
    answer(new Recorder(journal, RunClock.start(), 'client-1'))
    return await mergeJournals(folder)
  }

  it('writes a question and its answer under one id', async () => {
    const [begin, end] = await answersTo((recorder) => recorder.ask(question).ok(7))
    expect(begin).toMatchObject({ type: 'begin', id: 'client-1-1', process: 'client-1', ...question })
    expect(end).toMatchObject({ type: 'end', id: 'client-1-1', outcome: 'ok', token: 7 })
  })

  it('tells a no in time from a failure', async () => {
    const entries = await answersTo((recorder) => {
      recorder.ask(question).failed(new LockTimeoutError('lock-1', 5))
      recorder.ask(question).failed(new DOMException('given up', 'AbortError'))
    })
    const answers = entries.filter(({ type }) => type === 'end')
    expect(answers).toMatchObject([
      { outcome: 'refused', error: 'LOCK_TIMEOUT' },
      { outcome: 'failed', error: 'AbortError' },
    ])
  })

  it('takes one answer alone', async () => {
    await answersTo((recorder) => {
      const asked = recorder.ask(question)
      asked.refused()
      expect(() => asked.ok()).toThrow('one answer')
    })
  })
})
