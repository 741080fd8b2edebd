import { describe, expect, it } from 'vitest'
import { PendingWrites, type Batch } from '../../../../src/collections/map/behind/pending-writes.js'
import { objectContext } from '../../../engine/core/object-fixture.js'
import { askOwner } from '../../../support/ask-owner.js'
import { noLeaks } from '../../../support/no-leaks.js'
import { slottedTopologies } from '../../../support/topologies.js'

const LEASE_MS = 30_000

/** What a program remembers of its requests for a while. */

describe.each(slottedTopologies)('what is to be written behind ($kind)', (topology) => {
  noLeaks(topology)
  const mine = objectContext(() => topology.options())
  const other = objectContext(() => topology.options())
  let names = 0

  const make = (delayMs = 0) => {
    const map = `pending-${topology.kind}-${String(names++)}`
    const ask = (key: string, command: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, `{${map}}:write-behind${key}`, command, ...args)
    return {
      mine: new PendingWrites(mine().executor, map, delayMs),
      other: new PendingWrites(other().executor, map, delayMs),
      ask,
      /** Has a claim of `a` end, as if the lease had gone by. */
      lapse: () => ask('-claimed', 'ZADD', 1, 'a'),
      forget: () => askOwner(topology, map, 'DEL'),
    }
  }

  const claim = async (pending: PendingWrites): Promise<Batch> => (await pending.claim(50, LEASE_MS, true))[1]
  const texts = ({ entries }: Batch) => entries.map((entry) => entry.map(String))

  /** Two claims of one field: the first had ended when the second was made. */
  const twoClaims = async () => {
    const all = make()
    await all.mine.putAll(['a', 'v1'])
    const first = await claim(all.mine)
    expect(texts(first)).toEqual([['a', '1v1']])
    expect(texts(await claim(all.other))).toEqual([])
    await all.lapse()
    await all.other.putAll(['a', 'v2'])
    const second = await claim(all.other)
    expect(texts(second)).toEqual([['a', '1v2']])
    return { ...all, first, second, ends: await all.ask('-claimed', 'ZSCORE', 'a') }
  }

  it.each([
    ['extended', (pending: PendingWrites, batch: Batch) => pending.extend(batch, 2 * LEASE_MS)],
    ['settled', (pending: PendingWrites, batch: Batch) => pending.settle(batch)],
    ['postponed', (pending: PendingWrites, batch: Batch) => pending.postpone(batch, 0)],
  ])('leaves a claim to the client that has it now, when an earlier one is %s', async (what, end) => {
    const { mine, other, first, second, ends, ask, forget } = await twoClaims()
    expect(await end(mine, first)).toBe(what === 'extended' ? false : undefined)
    expect(await ask('-claimed', 'ZSCORE', 'a')).toBe(ends)
    expect(texts(await claim(mine))).toEqual([])
    expect(await other.extend(second, LEASE_MS)).toBe(true)
    await other.settle(second)
    expect(await mine.of('a')).toBeUndefined()
    await forget()
  })

  it('tells two claims of one client from each other', async () => {
    const { mine, forget, lapse } = make()
    await mine.putAll(['a', 'v1'])
    const first = await claim(mine)
    await lapse()
    const second = await claim(mine)
    expect(texts(second)).toEqual(texts(first))
    await mine.settle(first)
    expect(await mine.extend(second, LEASE_MS)).toBe(true)
    await mine.settle(second)
    await forget()
  })

  it('is claimed still where the lease has gone by, as long as no other client has claimed it', async () => {
    const { mine, forget, lapse } = make()
    await mine.putAll(['a', 'v1'])
    const batch = await claim(mine)
    await lapse()
    expect(await mine.extend(batch, LEASE_MS)).toBe(true)
    await mine.putAll(['a', 'v2'])
    await mine.settle(batch)
    const again = await claim(mine)
    expect(texts(again)).toEqual([['a', '1v2']])
    await mine.postpone(again, 0)
    expect(await mine.extend(again, LEASE_MS)).toBe(false)
    await mine.settle(await claim(mine))
    await forget()
  })

  it('waits for no longer than its delay where the clock was set back, and is claimed for no longer than a lease', async () => {
    const { mine, other, ask, forget, lapse } = make(LEASE_MS)
    await mine.putAll(['a', 'v1', 'b', 'v1'])
    await mine.claim(1, LEASE_MS, true)
    const later = Date.now() + 100 * LEASE_MS
    await ask('-claimed', 'ZADD', later, 'a') // as they were noted before
    await ask('-due', 'ZADD', later, 'b')
    expect((await other.claim(1, LEASE_MS, false))[1].entries).toEqual([])
    expect(Number(await ask('-claimed', 'ZSCORE', 'a'))).toBeLessThan(later)
    expect(Number(await ask('-due', 'ZSCORE', 'b'))).toBeLessThan(later)
    await lapse()
    await mine.settle(await claim(mine))
    await forget()
  })
})
