import { beforeEach, describe, expect, it } from 'vitest'
import { MessageBuffer } from '../../../src/util/collections/message-buffer.js'

describe('a message buffer', () => {
  let gaps: number
  let buffer: MessageBuffer<string>
  beforeEach(() => {
    gaps = 0
    buffer = new MessageBuffer(2, () => (gaps += 1))
  })

  const take = async () => (await buffer.take()).value

  it('returns values in order, those that wait and those that are waited for', async () => {
    buffer.push('a')
    buffer.push('b')
    expect([await take(), await take()]).toEqual(['a', 'b'])
    const waiting = [take(), take()]
    buffer.push('c')
    buffer.push('d')
    expect(await Promise.all(waiting)).toEqual(['c', 'd'])
  })

  it('is full with that number of values, and not while they are waited for', () => {
    buffer.push('a')
    expect(buffer.isFull).toBe(false)
    buffer.push('b')
    expect(buffer.isFull).toBe(true)
    void take()
    void take()
    void take()
    expect(buffer.isFull).toBe(false)
  })

  it('reports a gap after the values before it, when what follows is asked for', async () => {
    buffer.push('a')
    buffer.gap()
    buffer.gap()
    buffer.push('b')
    buffer.gap()
    expect([await take(), gaps]).toEqual(['a', 0])
    expect([await take(), gaps]).toEqual(['b', 2])
    const next = take()
    expect(gaps).toBe(3)
    buffer.gap()
    expect(gaps).toBe(4)
    buffer.push('c')
    expect([await next, gaps]).toEqual(['c', 4])
  })

  it('keeps the gaps of values that make room', async () => {
    buffer.gap()
    buffer.push('a')
    buffer.push('b')
    buffer.dropOldest()
    buffer.push('c')
    expect([await take(), gaps]).toEqual(['b', 1])
    buffer.gap()
    buffer.push('d')
    buffer.dropOldest()
    buffer.dropOldest()
    buffer.push('e')
    expect([await take(), gaps]).toEqual(['e', 2])
  })

  it('throws its error once, after the values that came before, and is at its end', async () => {
    buffer.push('a')
    buffer.fail(new Error('no more'))
    buffer.fail(new Error('again'))
    buffer.push('b')
    buffer.gap()
    expect(await take()).toBe('a')
    await expect(buffer.take()).rejects.toThrow('no more')
    expect(await buffer.take()).toEqual({ done: true, value: undefined })
    expect(gaps).toBe(0)
  })

  it('throws it to the first who waits, and is at its end for the others', async () => {
    const [first, second] = [buffer.take(), buffer.take()]
    buffer.fail(new Error('no more'))
    await expect(first).rejects.toThrow('no more')
    expect(await second).toEqual({ done: true, value: undefined })
  })

  it('ends at once, and drops what waits', async () => {
    buffer.push('a')
    buffer.gap()
    buffer.end()
    expect(await buffer.take()).toEqual({ done: true, value: undefined })
    buffer.fail(new Error('no more'))
    expect(await buffer.take()).toEqual({ done: true, value: undefined })
    expect(gaps).toBe(0)
  })
})
