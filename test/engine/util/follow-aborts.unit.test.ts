import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { followAborts } from '../../../src/util/abort/follow-aborts.js'

describe('a controller that follows signals', () => {
  it('aborts with the first of them, and with its reason', () => {
    const [own, first, second] = [new AbortController(), new AbortController(), new AbortController()]
    followAborts(own, [undefined, first.signal, second.signal])
    expect(own.signal.aborted).toBe(false)
    second.abort('second')
    first.abort('first')
    expect(own.signal.reason).toBe('second')
  })

  it('aborts at once where one of them has', () => {
    const own = new AbortController()
    followAborts(own, [AbortSignal.abort('before')])
    expect(own.signal.reason).toBe('before')
  })

  it('stops listening when it is stopped', () => {
    const [own, other] = [new AbortController(), new AbortController()]
    const stop = followAborts(own, [other.signal])
    stop()
    other.abort()
    expect(own.signal.aborted).toBe(false)
    expect(getEventListeners(other.signal, 'abort')).toEqual([])
  })
})
