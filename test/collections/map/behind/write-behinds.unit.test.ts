import { describe, expect, it, vi } from 'vitest'
import { WriteBehinds } from '../../../../src/collections/map/behind/write-behinds.js'
import type { ObjectContext } from '../../../../src/core/context/object-context.js'
import { Deadline } from '../../../../src/util/time/deadline.js'

const behinds = () =>
  new WriteBehinds({ closing: new AbortController().signal, onClose: () => undefined } as Pick<
    ObjectContext,
    'closing' | 'onClose'
  > as ObjectContext)

describe('the maps that are written behind', () => {
  it('are looked at once, and not again at once', () => {
    const all = behinds()
    expect([all.isTimeToLook('a'), all.isTimeToLook('a'), all.isTimeToLook('b')]).toEqual([true, false, true])
  })

  it('are remembered up to a thousand', () => {
    const all = behinds()
    for (let n = 0; n <= 1_000; n += 1) all.isTimeToLook(String(n))
    expect([all.isTimeToLook('1'), all.isTimeToLook('1000'), all.isTimeToLook('0')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('are waited for, however far away the deadline is', async () => {
    const closers: Parameters<ObjectContext['onClose']>[0][] = []
    const onClose: ObjectContext['onClose'] = (settle) => void closers.push(settle)
    const all = new WriteBehinds({ closing: new AbortController().signal, onClose } as ObjectContext)
    const { promise: written, resolve: write } = Promise.withResolvers<undefined>()
    const stop = vi.fn()
    all.add({ flush: () => written, stop })
    const closed = vi.fn()
    vi.useFakeTimers()
    try {
      const closing = closers[0]?.(Deadline.after(2 ** 31 + 5_000)).then(closed)
      await vi.advanceTimersByTimeAsync(1_000)
      expect([stop.mock.calls.length, closed.mock.calls.length]).toEqual([1, 0])
      write(undefined)
      await closing
      expect(closed).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })
})
