import { finished, pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  /** The bytes in hexadecimal digits, because replies to tests are texts. */
  const hexOf = (name: string) =>
    look.ask(name, 'BITFIELD_RO', ...[0, 1, 2, 3].flatMap((at) => ['GET', 'u8', `#${String(at)}`]))

  it.each(['wire-bytes', '{wire}:bytes', 'байты'])(
    'a binary stream called %s is a string of that name, with the bytes as they are',
    async (name) => {
      const stream = clients.mine.getBinaryStream(name)
      await stream.append(Buffer.of(0, 255))
      await stream.write(2, Buffer.of(128))
      await finished(stream.createWriteStream().end(Buffer.of(34)))
      expect(await hexOf(name)).toEqual([0, 255, 128, 34])
      expect(await look.ask(name, 'TYPE')).toBe('string')
      expect(await look.ask(name, 'STRLEN')).toBe(4)
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await stream.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it.each([
    ['a stream at the end', {}, 'abcdef'],
    ['a stream in place of the value', { flags: 'w' }, 'def'],
    ['a stream at a position', { start: 1 }, 'adef'],
  ] as const)('%s leaves the time to live', async (_, options, left) => {
    const name = 'wire-stream'
    await look.ask(name, 'SET', 'abc', 'PX', 600_000)
    const stream = clients.mine.getBinaryStream(name)
    await pipeline([bytes('d'), bytes('ef')], stream.createWriteStream(options))
    expect(await look.ask(name, 'GET')).toBe(left)
    expect(await look.ask(name, 'PTTL')).toBeGreaterThan(0)
    await stream.delete()
  })

  it('is what any client has set, and none that is empty', async () => {
    const name = 'wire-set'
    await look.ask(name, 'SET', 'some text')
    const stream = clients.mine.getBinaryStream(name)
    expect(String(await stream.get())).toBe('some text')
    await stream.truncate(0)
    expect(await look.ask(name, 'EXISTS')).toBe(1)
    expect(await look.ask(name, 'GET')).toBe('')
    await stream.delete()
    expect(await stream.write(3, new Uint8Array())).toBe(0)
    expect(await look.ask(name, 'EXISTS')).toBe(0)
  })
})
