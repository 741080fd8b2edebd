import { describe, expect, it } from 'vitest'
import { RawView, type Claimant, type KeyReader } from '../../../../chaos/random-use/player/raw.js'

const claimant: Claimant = { clientIds: ['client'], owner: 'client:1', id: undefined }

/** How many holds of the claimant three servers know, of which each has these in the hash of the lock. */
async function holdsOfRedLock(hashes: readonly Record<string, string>[], of = claimant): Promise<number> {
  const readers = hashes.map((hash) => ({ hgetall: () => Promise.resolve(hash) }) as unknown as KeyReader)
  const [first, ...others] = readers as [KeyReader, ...KeyReader[]]
  return await new RawView(first, others).holdsOf({ kind: 'red', name: 'quorum', servers: 3 }, of)
}

describe('holds of a red lock', () => {
  it.each([
    [[1, 1, 1], 1],
    [[0, 1, 1], 1],
    [[2, 2, 0], 2],
    [[1, 2, 1], 2],
    [[2, 3, 1], 3],
  ])('with %j at three servers, each at a majority, are %d', async (counts, holds) => {
    expect(await holdsOfRedLock(counts.map((count) => ({ 'client:1': String(count) })))).toBe(holds)
  })

  it.each([
    [[3, 0, 0], 0],
    [[2, 1, 0], 1],
    [[3, 1, 1], 2],
  ])('with %j at three servers, some at a minority, are %d', async (counts, holds) => {
    expect(await holdsOfRedLock(counts.map((count) => ({ 'client:1': String(count) })))).toBe(holds)
  })

  it('are those of the owner, where it is known', async () => {
    const hashes = [{ 'client:1': '1' }, { 'client:2': '2' }, { 'client:1': '1' }]
    expect(await holdsOfRedLock(hashes)).toBe(1)
    expect(await holdsOfRedLock(hashes, { ...claimant, owner: undefined })).toBe(2)
  })
})
