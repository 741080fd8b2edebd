import { describe, expect, it, vi } from 'vitest'
import { warnOnce } from '../../../src/util/warn-once.js'

describe('warnOnce', () => {
  it('warns once for each code and subject', () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      warnOnce('REDISSON_TEST', 'a', 'first')
      warnOnce('REDISSON_TEST', 'a', 'again')
      warnOnce('REDISSON_TEST', 'b', 'second')
      warnOnce('REDISSON_OTHER', 'a', 'third')
      expect(emitWarning.mock.calls.map(([message]) => message)).toEqual(['first', 'second', 'third'])
    } finally {
      emitWarning.mockRestore()
    }
  })

  it('falls silent about a code that has a thousand subjects, and about no other', () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      for (let index = 0; index <= 1000; index += 1) warnOnce('REDISSON_BOUND', String(index), 'said')
      expect(emitWarning.mock.calls.length).toBe(1000)
      for (const subject of ['0', '1000', '1001']) warnOnce('REDISSON_BOUND', subject, 'said')
      expect(emitWarning.mock.calls.length).toBe(1000)
      warnOnce('REDISSON_UNBOUND', '0', 'said')
      expect(emitWarning.mock.calls.length).toBe(1001)
    } finally {
      emitWarning.mockRestore()
    }
  })
})
