import { describe, expect, it } from 'vitest'
import { ChunkReader } from '../../../src/objects/binary-stream/chunk-reader.js'

const settings = { start: 0, end: Infinity, highWaterMark: 4, signal: undefined }

describe('a reader of chunks', () => {
  it('goes on where the value has become longer before its size is asked', async () => {
    const ranges = ['abcd', '', 'efgh', 'i']
    const sizes = [9]
    const reader = new ChunkReader(
      {
        name: 'bytes',
        read: () => Promise.resolve(Buffer.from(ranges.shift() ?? '')),
        size: () => Promise.resolve(sizes.shift() ?? 0),
      },
      settings,
    )
    const chunks: string[] = []
    for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next())
      chunks.push(chunk.toString())
    expect(chunks).toEqual(['abcd', 'efgh', 'i'])
  })
})
