import { expect, it, vi } from 'vitest'
import { LocalView } from '../../../src/collections/local-cached-map/local-view.js'

it.each([
  { what: 'with itself alone', receivers: 1, hearsOwn: true, permits: undefined, isDone: true },
  { what: 'with others', receivers: 3, hearsOwn: true, permits: 2, isDone: true },
  { what: 'with one other, once it is destroyed', receivers: 1, hearsOwn: false, permits: 1, isDone: true },
  {
    what: 'with none, once it is destroyed',
    receivers: 0,
    hearsOwn: false,
    permits: undefined,
    isDone: true,
  },
  { what: 'where it was not published', receivers: 0, hearsOwn: true, permits: undefined, isDone: false },
])('all confirm that they are cleared $what', async ({ receivers, hearsOwn, permits, isDone }) => {
  const tryAcquire = vi.fn(() => Promise.resolve(true))
  const nothing = () => Promise.resolve()
  const cache = {
    isShared: true,
    hearsOwn,
    opened: nothing,
    dropAll: vi.fn(),
    clear: vi.fn(),
    destroy: vi.fn(), // when the view is garbage-collected, while other tests run
  }
  const view = new LocalView({}, {
    cache: { ...cache, beginChangeOfAll: () => ({ sender: Buffer.alloc(16) }) },
    confirmations: { expect: () => ({ trySetPermits: nothing, tryAcquire, delete: nothing }) },
    requests: { key: 'm', ask: () => Promise.resolve(receivers) },
    isLogged: false,
  } as never)
  expect(await view.clear()).toBe(isDone)
  if (permits === undefined) expect(tryAcquire).not.toHaveBeenCalled()
  else expect(tryAcquire).toHaveBeenCalledExactlyOnceWith({ permits, waitMs: 40_000 })
  expect(cache.clear).toHaveBeenCalledOnce()
})
