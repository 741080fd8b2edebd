import { beforeEach, describe, expect, it } from 'vitest'
import { CacheTimeoutError, type CacheCallOptions } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { held } from './held.js'

const STALE_MS = 600_000
const OPTIONS = { ttlMs: 600_000, staleMs: STALE_MS, redisTimeoutMs: 20_000 }

describe('calls of a cache that give up', () => {
  let names = 0
  let name = ''

  noLeaks(single, { except: /cache-\d+/ })
  const clients = twoClients(single)

  beforeEach(() => {
    name = `cache-${String(names++)}`
  })

  const mine = () => clients.mine.getCache<string>(name, OPTIONS)
  const other = () => clients.other.getCache<string>(name, OPTIONS)

  /** Calls with a loader of its own. Returns whether nothing refers to that any more. */
  const call = (cache: ReturnType<typeof mine>, options: CacheCallOptions) => {
    const loader = () => 'not called'
    const isFree = (ref: WeakRef<object>) => () => {
      collectGarbage()
      return ref.deref() === undefined
    }
    return { outcome: cache.getOrLoad('a', loader, options), isFree: isFree(new WeakRef(loader)) }
  }

  it.each(['mine', 'other'] as const)(
    'leave nothing behind at the hard timeout while a load of %s goes on',
    async (who) => {
      const { loader, begun, letGo } = held('new')
      const load = mine().getOrLoad('a', loader)
      await begun
      const cache = who === 'mine' ? mine() : other()
      const { outcome, isFree } = call(cache, { hardTimeoutMs: 1 })
      await expect(outcome).rejects.toThrow(CacheTimeoutError)
      await eventually(isFree)
      letGo()
      expect(await load).toBe('new')
    },
  )

  it('leave nothing behind when their signal aborts', async () => {
    const { loader, begun, letGo } = held('new')
    const load = mine().getOrLoad('a', loader)
    await begun
    const controller = new AbortController()
    const { outcome, isFree } = call(mine(), { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(outcome).rejects.toThrow('enough')
    await eventually(isFree)
    letGo()
    expect(await load).toBe('new')
  })

  it('leave nothing behind at the soft timeout', async () => {
    await mine().set('a', 'old', { ttlMs: 1 })
    await eventually(async () => Number(await askOwner(single, `${name}:{a}`, 'PTTL')) <= STALE_MS)
    const { loader, begun, letGo } = held('new')
    expect(await mine().getOrLoad('a', loader)).toBe('old')
    await begun
    const { outcome, isFree } = call(mine(), { softTimeoutMs: 1 })
    expect(await outcome).toBe('old')
    await eventually(isFree)
    letGo()
    await eventually(async () => (await mine().get('a')) === 'new')
  })
})
