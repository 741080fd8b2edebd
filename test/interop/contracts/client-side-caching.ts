import { describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** What clients in Java, which need to know nothing of it, owe the client-side caching of Node. */
export function clientSideCachingAcrossSides(bench: InteropFixture): void {
  describe('client-side caching', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('hears of what Java changes', async () => {
      await using cached = sides.node.getClientSideCaching()
      const [name, other] = [bench.name(), bench.name()]
      const bucket = cached.getBucket<number>(name)
      const map = cached.getMap<string, number>(other)
      for (let n = 0; n < 5; n += 1) {
        await sides.java.call(['getBucket', name], ['set', n])
        await sides.java.call(['getMap', other], ['fastPut', 'k', n])
        await eventually(async () => {
          expect([await bucket.get(), await map.get('k')]).toEqual([n, n])
        })
      }
      await sides.java.call(['getMap', other], ['delete'])
      await eventually(async () => (await map.get('k')) === undefined)
      await bucket.delete()
      expect(await sides.java.call(['getBucket', name], ['isExists'])).toBe(false)
    })
  })
}
