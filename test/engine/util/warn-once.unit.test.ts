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

  it('remembers a bounded number of subjects', () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      for (let index = 0; index <= 1000; index += 1) warnOnce('REDISSON_BOUND', String(index), 'said')
      const before = emitWarning.mock.calls.length
      warnOnce('REDISSON_BOUND', '1000', 'said')
      expect(emitWarning.mock.calls.length).toBe(before)
      warnOnce('REDISSON_BOUND', '0', 'said')
      expect(emitWarning.mock.calls.length).toBe(before + 1)
    } finally {
      emitWarning.mockRestore()
    }
  })
})
