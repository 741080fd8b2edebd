import { describe, expect, it } from 'vitest'
import { ITEMS_PER_TURN, mapInTurns } from '../../../src/util/map-in-turns.js'
import { turnsDuring } from '../../support/turns-during.js'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('mapping in turns', () => {
  it('maps few items at once', () => {
    expect(mapInTurns(numbers(ITEMS_PER_TURN), (item) => item + 1)).toEqual(
      numbers(ITEMS_PER_TURN).map((item) => item + 1),
    )
    expect(mapInTurns([], () => 1)).toEqual([])
  })

  it('leaves turns to others between parts of many items, and keeps their order', async () => {
    const items = numbers(10 * ITEMS_PER_TURN + 1)
    const { result, turns } = await turnsDuring(() => mapInTurns(items, (item) => item * 2))
    expect(result).toEqual(items.map((item) => item * 2))
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  it('ends with what the function throws, and maps nothing more', async () => {
    const seen: number[] = []
    const fail = (item: number) => {
      seen.push(item)
      if (item === ITEMS_PER_TURN + 5) throw new Error('planted')
    }
    await expect(mapInTurns(numbers(3 * ITEMS_PER_TURN), fail)).rejects.toThrow('planted')
    expect(seen.at(-1)).toBe(ITEMS_PER_TURN + 5)
    expect(() => mapInTurns([ITEMS_PER_TURN + 5], fail)).toThrow('planted')
  })
})
