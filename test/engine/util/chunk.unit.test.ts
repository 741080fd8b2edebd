import { describe, expect, it } from 'vitest'
import { chunk } from '../../../src/util/collections/chunk.js'

describe('cutting a list into pieces', () => {
  it.each([
    [[], 3, []],
    [[1], 3, [[1]]],
    [[1, 2, 3], 3, [[1, 2, 3]]],
    [[1, 2, 3, 4], 3, [[1, 2, 3], [4]]],
    [
      [1, 2, 3, 4, 5, 6],
      3,
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [[1, 2, 3], 1, [[1], [2], [3]]],
  ])('%j by %d gives %j', (items: number[], size, pieces) => {
    expect(chunk(items, size)).toEqual(pieces)
  })

  it('leaves the list as it was', () => {
    const items = Object.freeze([1, 2, 3])
    expect(chunk(items, 2)).toEqual([[1, 2], [3]])
  })
})
