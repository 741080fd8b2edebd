import { describe, expect, it } from 'vitest'
import { IdBlocks } from '../../../src/counters/id-generator/id-blocks.js'
import type { ObjectContext } from '../../../src/core/context/object-context.js'
import { Deadline } from '../../../src/util/time/deadline.js'

/** The blocks of a client, of 2 ids each, that begin with 1 for each generator. */
function given() {
  const closers: Parameters<ObjectContext['onClose']>[0][] = []
  const context = {
    closing: new AbortController().signal,
    onClose: (settle: (typeof closers)[number]) => void closers.push(settle),
  }
  const blocks = new IdBlocks(context as ObjectContext)
  const taken = new Map<string, bigint>()
  const next = async (key: string) =>
    await blocks.next(key, () => {
      const first = taken.get(key) ?? 1n
      taken.set(key, first + 2n)
      return Promise.resolve({ first, count: 2n, blockSize: 2n })
    })
  const close = () => Promise.all(closers.map((settle) => settle(Deadline.after(0))))
  return { blocks, next, close }
}

describe('the blocks of a client', () => {
  it('are those of each generator', async () => {
    const { next } = given()
    expect([await next('a'), await next('b'), await next('a'), await next('a')]).toEqual([1n, 1n, 2n, 3n])
  })

  it('are dropped by name', async () => {
    const { blocks, next } = given()
    await next('a')
    await next('b')
    blocks.drop('a')
    blocks.drop('c')
    expect([await next('a'), await next('b')]).toEqual([3n, 2n])
  })

  it('still serve their waiters when they are dropped', async () => {
    const { blocks, next } = given()
    const waiting = next('a')
    blocks.drop('a')
    expect(await waiting).toBe(1n)
    expect(await next('a')).toBe(3n)
  })

  it('are those of the 10 000 generators that were used last', async () => {
    const { next } = given()
    await next('first')
    await next('second')
    for (let name = 0; name < 9_998; name += 1) await next(String(name))
    expect(await next('first')).toBe(2n)
    await next('one more')
    expect([await next('second'), await next('1')]).toEqual([3n, 2n])
  })

  it('are gone once the client has ended', async () => {
    const { next, close } = given()
    await next('a')
    await close()
    expect(await next('a')).toBe(3n)
  })
})
