import { describe, expect, it } from 'vitest'
import { ANY_NUMBER, refuseSurplus } from '../../../src/util/refuse-surplus.js'

class Shelf {
  static {
    refuseSurplus(this, { put: 'one book at a time', all: ANY_NUMBER })
  }

  readonly #books: string[] = []

  get size(): number {
    return this.#books.length
  }

  async put(book: string, place?: number): Promise<number> {
    return await Promise.resolve(this.#books.splice(place ?? 0, 0, book).length)
  }

  take(): string | undefined {
    return this.#books.shift()
  }

  all(...books: readonly string[]): number {
    return this.#books.push(...books)
  }

  toJSON(): readonly string[] {
    return this.#books
  }
}

type Untyped = Record<string, (...args: readonly unknown[]) => unknown>

describe('refuseSurplus', () => {
  it('rejects where a method returns a promise, and throws where it does not', async () => {
    const shelf = new Shelf() as unknown as Untyped
    await expect(shelf['put']?.('a', 1, 'b')).rejects.toThrow(
      'Expected no further argument, got a string of 1 character: one book at a time',
    )
    expect(() => shelf['take']?.(1)).toThrow('got 1: the call is about this object alone')
    expect((shelf as unknown as Shelf).size).toBe(0)
  })

  it('takes what a method declares, any number where each counts, and undefined', async () => {
    const shelf = new Shelf()
    const untyped = shelf as unknown as Untyped
    await untyped['put']?.('a', 1, undefined)
    await shelf.put('b')
    expect(shelf.all('c', 'd')).toBe(4)
    expect(shelf.take()).toBe('b')
  })

  it('says that a method was taken off its object', async () => {
    const { put, take } = new Shelf() as unknown as Untyped
    const without = (name: string) => `Expected ${name}() to be called on its object, got a call without one`
    await expect(put?.('a')).rejects.toThrow(without('put'))
    expect(() => take?.()).toThrow(without('take'))
  })

  it('lets JSON.stringify() give a key', () => {
    const shelf = new Shelf()
    shelf.all('a')
    expect(JSON.stringify({ shelf })).toBe('{"shelf":["a"]}')
  })

  it('keeps the names of the methods', () => {
    expect(Object.entries(Object.getOwnPropertyDescriptors(Shelf.prototype)).map(([name]) => name)).toEqual([
      'constructor',
      'size',
      'put',
      'take',
      'all',
      'toJSON',
    ])
    expect(Shelf.prototype.take.name).toBe('take')
  })
})
