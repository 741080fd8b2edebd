import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type Call } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** Every byte, and more of them than a chunk of either side has. */
const ALL = Buffer.from(Uint8Array.from({ length: 100_003 }, (_, at) => (at * 31) % 256))

/** What bytes of either side owe the other. The other side is given bytes, and returns them, in the digits of base 64. */
export function binaryStreamsAcrossSides(bench: InteropFixture): void {
  describe('a binary stream', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const inJava = (name: string, ...calls: readonly Call[]) =>
      sides.java.call(['getBinaryStream', name], ...calls)
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

    it.each(['байты', '{tag}:bytes', 'a{tag}b'])('called %s is one on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const stream = sides.node.getBinaryStream(name)
      const half = ALL.length >> 1
      await inJava(name, ['getOutputStream'], ['write', base64(ALL.subarray(0, half))])
      expect(await buffer(stream.createReadStream())).toEqual(ALL.subarray(0, half))
      expect(await buffer(stream.readable({ highWaterMark: 1_000 }))).toEqual(ALL.subarray(0, half))
      await pipeline([ALL.subarray(half, half + 7), ALL.subarray(half + 7)], stream.createWriteStream())
      expect(await inJava(name, ['getInputStream'], ['readAllBytes'])).toBe(base64(ALL))
      expect(await inJava(name, ['size'])).toBe(await stream.size())
      expect(await inJava(name, ['delete'])).toBe(true)
      expect(await stream.isExists()).toBe(false)
    })

    it('is written at positions and shortened by either side', async () => {
      const name = bench.name()
      const stream = sides.node.getBinaryStream(name)
      await inJava(name, ['getChannel'], ['position', 3], ['write', base64(Buffer.from('345'))])
      expect(await stream.get()).toEqual(Buffer.from('\0\0\x00345'))
      expect(await stream.write(1, Buffer.from('12'))).toBe(6)
      expect(await inJava(name, ['getInputStream'], ['readAllBytes'])).toBe(base64(Buffer.from('\x0012345')))
      await inJava(name, ['getChannel'], ['truncate', 4])
      expect(await stream.get()).toEqual(Buffer.from('\x00123'))
      await stream.truncate(2)
      expect(await inJava(name, ['getChannel'], ['size'])).toBe(2)
      await stream.truncate(0)
      expect(await inJava(name, ['getInputStream'], ['read'])).toBe(-1)
      await stream.delete()
    })

    it('has what Java appends in between refused by a stream in Node', async () => {
      const name = bench.name()
      const writer = sides.node.getBinaryStream(name).writable().getWriter()
      await writer.write(Buffer.from('one'))
      await inJava(name, ['getOutputStream'], ['write', base64(Buffer.from('two'))])
      await expect(writer.write(Buffer.from('three'))).rejects.toMatchObject({
        code: 'BINARY_STREAM_CHANGED',
        size: 6,
      })
      expect(String(await sides.node.getBinaryStream(name).getAndDelete())).toBe('onetwo')
    })
  })
}
