import { describe, expect, it } from 'vitest'
import { ReplySize } from '../../../src/streams/stream/consumer/reply-size.js'

const PATIENCE_MS = 3_000
const MEGABYTE = 1024 * 1024

/** Messages of a size, in bytes. */
const messages = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => {
    const field = [Buffer.from('a'), Buffer.alloc(bytes - 2)] as const
    return { id: `${String(n)}-0`, fields: [field] }
  })

describe('how many messages of a stream the next reply brings', () => {
  it('is one at first, whatever the batch', () => {
    expect(new ReplySize(100, PATIENCE_MS).count).toBe(1)
  })

  it('is the batch where messages are small', () => {
    const size = new ReplySize(100, PATIENCE_MS)
    size.note(messages(1, 1_000), 0)
    expect(size.count).toBe(100)
  })

  it('is about a megabyte, and at least one', () => {
    const size = new ReplySize(100, PATIENCE_MS)
    const counts = [MEGABYTE / 4, MEGABYTE / 2, MEGABYTE, 2 * MEGABYTE].map((bytes) => {
      size.note(messages(2, bytes), 0)
      return size.count
    })
    expect(counts).toEqual([4, 2, 1, 1])
  })

  it('is half of a reply that has taken too long, and grows again by later ones', () => {
    const size = new ReplySize(100, PATIENCE_MS)
    const counts = [0, PATIENCE_MS, PATIENCE_MS, 0, 0].map((elapsedMs) => {
      size.note(messages(Math.min(size.count, 64), MEGABYTE / 64), elapsedMs)
      return size.count
    })
    expect(counts).toEqual([64, 32, 16, 32, 64])
  })

  it('stays where nothing has come', () => {
    const size = new ReplySize(100, PATIENCE_MS)
    size.note(messages(1, 1_000), 0)
    size.note([], PATIENCE_MS)
    expect(size.count).toBe(100)
  })
})
