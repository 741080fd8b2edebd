import { describe, expect, it } from 'vitest'
import { shortened, Trace, type TraceEntry } from './trace.js'

const entry = (at: number, facts = ''): TraceEntry => ({ at, who: 'a', kind: 'note', facts })

describe('a trace', () => {
  it('has the same hash for the same entries, and another for any other', () => {
    const hashOf = (...entries: readonly TraceEntry[]): string => {
      const trace = new Trace()
      for (const each of entries) trace.add(each)
      return trace.hash
    }
    const hash = hashOf(entry(1), entry(2))
    expect(hashOf(entry(1), entry(2))).toBe(hash)
    const others = [[entry(2), entry(1)], [entry(1)], [entry(1), entry(2, 'x')], [entry(1.5), entry(2)]]
    expect(new Set([hash, ...others.map((each) => hashOf(...each))]).size).toBe(5)
  })

  it('can be asked for its hash at any time, and goes on', () => {
    const [asked, unasked] = [new Trace(), new Trace()]
    for (const trace of [asked, unasked]) trace.add(entry(1))
    const first = asked.hash
    for (const trace of [asked, unasked]) for (let at = 0; at < 5_000; at += 1) trace.add(entry(at, 'facts'))
    expect(asked.hash).not.toBe(first)
    expect(asked.hash).toBe(unasked.hash)
  })

  it('keeps the last entries', () => {
    const trace = new Trace({ keep: 3 })
    for (const at of [1, 2, 3, 4, 5]) trace.add(entry(at))
    expect(trace.entries.map(({ at }) => at)).toEqual([3, 4, 5])
    expect(trace.count).toBe(5)
  })

  it('is a text for those who read it, and facts for the hash', () => {
    const trace = new Trace()
    trace.add({ at: 1.25, who: 'a#1', kind: 'request', facts: 'bytes', text: () => 'PING' })
    expect(trace.lines).toEqual(['       1.250 a#1          request  PING'])
  })

  it('tells its followers, until they stop', () => {
    const trace = new Trace()
    const heard: TraceEntry[] = []
    const stop = trace.follow((each) => heard.push(each))
    trace.add(entry(1))
    stop()
    trace.add(entry(2))
    expect(heard).toEqual([entry(1)])
  })
})

it('bytes are shortened to what can be printed', () => {
  expect(shortened('+OK\r\n')).toBe('+OK')
  expect(shortened('a\0\xff')).toBe('a\\x00\\xff')
  expect(shortened('x'.repeat(500))).toMatch(/^x{160}… \(500 bytes\)$/)
})
