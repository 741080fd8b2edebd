import { describe, expect, it } from 'vitest'
import { CodecError, NotInBatchError, WrongTypeError } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const LONG_MS = 600_000

/** More than a string of Redis has. */
const TOO_MANY = 2 ** 29 + 1

describe.each(slottedTopologies)('a binary stream ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const stream = (name: string) => clients.mine.getBinaryStream(`{bytes-${topology.kind}}:${name}`)
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const text = (found: Uint8Array | undefined) => found && Buffer.from(found).toString('latin1')

  it('is a bucket of bytes', async () => {
    const [one, all] = [stream('bucket'), Uint8Array.from({ length: 256 }, (_, byte) => byte)]
    expect(await one.get()).toBeUndefined()
    await one.set(all, LONG_MS)
    expect(await one.get()).toEqual(Buffer.from(all))
    expect(await one.size()).toBe(256)
    expect(await one.compareAndSet(all, bytes('other'))).toBe(true)
    expect(text(await one.getAndSet(bytes('third')))).toBe('other')
    expect(await one.setIfAbsent(all)).toBe(false)
    const other = clients.other.getBinaryStream(one.name)
    expect(text(await other.getAndDelete())).toBe('third')
    expect(await one.isExists()).toBe(false)
  })

  it('is read at positions', async () => {
    const one = stream('read')
    expect(await one.read(0, 10)).toHaveLength(0)
    await one.set(bytes('0123456789'))
    expect(text(await one.read(0, 3))).toBe('012')
    expect(text(await one.read(7, 100))).toBe('789')
    expect(text(await one.read(9, 1))).toBe('9')
    expect(await one.read(0, 0)).toHaveLength(0)
    expect(await one.read(10, 1)).toHaveLength(0)
    expect(await one.read(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toHaveLength(0)
    expect(text(await one.read(8, Number.MAX_SAFE_INTEGER))).toBe('89')
    await one.delete()
  })

  it('is written at positions', async () => {
    const one = stream('write')
    expect(await one.write(3, bytes('3456'))).toBe(7)
    expect(text(await one.get())).toBe('\0\0\x003456')
    expect(await one.write(0, bytes('012'))).toBe(7)
    expect(await one.write(5, bytes('xyz'))).toBe(8)
    expect(text(await one.get())).toBe('01234xyz')
    expect(await one.write(100, new Uint8Array())).toBe(8)
    await one.expire(LONG_MS)
    await one.write(0, bytes('9'))
    expect(await one.remainTimeToLive()).toBeGreaterThan(0)
    await one.delete()
  })

  it('is appended to by any number of clients, whose bytes stay together', async () => {
    const one = stream('append')
    const [mine, other] = ['a', 'b'].map((letter) => bytes(letter.repeat(1_000)))
    const others = clients.other.getBinaryStream(one.name)
    const sizes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? one.append(mine as Buffer) : others.append(other as Buffer),
      ),
    )
    expect(sizes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => (n + 1) * 1_000))
    for (let at = 0; at < 20; at += 1)
      expect(text(await one.read(at * 1_000, 1_000))).toMatch(/^(?:a{1000}|b{1000})$/)
    await one.delete()
  })

  it('is shortened, and keeps its time to live', async () => {
    const one = stream('truncate')
    await one.truncate(0)
    expect(await one.isExists()).toBe(false)
    await one.set(bytes('0123456789'), LONG_MS)
    await one.truncate(20)
    await one.truncate(10)
    expect(await one.size()).toBe(10)
    await one.truncate(4)
    expect(text(await one.get())).toBe('0123')
    expect(await one.remainTimeToLive()).toBeGreaterThan(LONG_MS / 2)
    await one.truncate(0)
    expect(await one.get()).toHaveLength(0)
    expect(await one.remainTimeToLive()).toBeGreaterThan(LONG_MS / 2)
    await one.append(bytes('later'))
    expect(await one.remainTimeToLive()).toBeGreaterThan(LONG_MS / 2)
    await one.delete()
  })

  it('refuses what is no place and what are no bytes, and sends nothing', async () => {
    const one = stream('refused')
    for (const number of [-1, 0.5, NaN, Infinity, '1' as unknown as number, undefined as unknown as number]) {
      await expect(one.read(number, 1)).rejects.toThrow(RangeError)
      await expect(one.read(0, number)).rejects.toThrow(RangeError)
      await expect(one.write(number, bytes('a'))).rejects.toThrow(RangeError)
      await expect(one.truncate(number)).rejects.toThrow(RangeError)
    }
    for (const wrong of ['a text', undefined, null, [1], new ArrayBuffer(1)] as unknown as Uint8Array[]) {
      await expect(one.write(0, wrong)).rejects.toThrow(CodecError)
      await expect(one.append(wrong)).rejects.toThrow(CodecError)
    }
    expect(await one.isExists()).toBe(false)
  })

  it('refuses more than Redis can have, and sends nothing', async () => {
    const one = stream('limit')
    const tooMany = new Uint8Array(TOO_MANY)
    await expect(one.append(tooMany)).rejects.toThrow('at most 536870912 bytes, got 536870913 bytes')
    await expect(one.set(tooMany)).rejects.toThrow(CodecError)
    await expect(one.write(2 ** 29 - 1, bytes('ab'))).rejects.toThrow('to end at 536870912 or before')
    await expect(one.write(2 ** 53 - 1, bytes('a'))).rejects.toThrow(RangeError)
    expect(await one.isExists()).toBe(false)
  })

  it('refuses keys of other kinds', async () => {
    const one = stream('wrong')
    const list = clients.mine.getList(one.name)
    await list.add(1)
    for (const call of [one.read(0, 1), one.write(0, bytes('a')), one.append(bytes('a')), one.truncate(0)])
      await expect(call).rejects.toBeInstanceOf(WrongTypeError)
    await expect(one.delete()).rejects.toBeInstanceOf(WrongTypeError)
    expect(await list.size()).toBe(1)
    await list.delete()
  })

  it('belongs to batches, and its streams do not', async () => {
    const one = stream('batch')
    const found = await clients.mine.batch((batch) => {
      const inBatch = batch.getBinaryStream(one.name)
      return [
        inBatch.append(bytes('abc')),
        inBatch.write(1, bytes('x')),
        inBatch.read(0, 2),
        inBatch.truncate(2),
        inBatch.read(1, 0),
        inBatch.size(),
        inBatch.getAndDelete(),
      ]
    })
    expect(found).toEqual([3, 3, bytes('ax'), undefined, new Uint8Array(), 2, bytes('ax')])
    for (const method of ['createReadStream', 'createWriteStream', 'readable', 'writable'] as const)
      await expect(
        clients.mine.batch((batch) => {
          batch.getBinaryStream(one.name)[method]()
          return []
        }),
      ).rejects.toThrow(NotInBatchError)
  })

  it('is no stream with a codec', () => {
    expect(() => clients.mine.getBinaryStream('a', { codec: 1 } as object)).toThrow(TypeError)
    expect(() => clients.mine.getBinaryStream('')).toThrow(TypeError)
  })
})
