import type { RBitSet, RedissonClient } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** The bit set that this one is combined with. */
const otherOf = (name: string) => `${name}:other`

const look = (client: RedissonClient, name: string) => allOf(client.getBitSet(name).indexes())

/** Both bit sets have one byte. */
async function prepare(client: RedissonClient, name: string): Promise<void> {
  await client.getKeys().delete(name, otherOf(name))
  await client.getBitSet(name).setAll([1, 2])
  await client.getBitSet(otherOf(name)).setAll([2, 3])
}

function calling(
  what: string,
  call: (bits: RBitSet) => Promise<unknown>,
  answer: unknown,
  after: readonly number[],
): CountingCall {
  return {
    what,
    prepare,
    call: (client, name, exactlyOnce) => call(client.getBitSet(name, { exactlyOnce })),
    answer,
    states: [[1, 2], after],
  }
}

testLostReplies(
  'a bit set',
  [
    calling('set', (bits) => bits.set(5), false, [1, 2, 5]),
    calling('set of a bit that is 1', (bits) => bits.set(2), true, [1, 2]),
    calling('set to 0', (bits) => bits.set(2, false), true, [1]),
    calling('setAll', (bits) => bits.setAll([4, 2]), undefined, [1, 2, 4]),
    calling('setRange', (bits) => bits.setRange(2, 17), undefined, [1, ...from(2, 17)]),
    calling('setRange to 0', (bits) => bits.setRange(2, 17, false), undefined, [1]),
    calling('setByteArray', (bits) => bits.setByteArray(Uint8Array.of(0x81)), undefined, [0, 7]),
    calling('clear', (bits) => bits.clear(), undefined, []),
    calling('not', (bits) => bits.not(), 1, [0, 3, 4, 5, 6, 7]),
    calling('and', (bits) => bits.and([otherOf(bits.name)]), 1, [2]),
    calling('or', (bits) => bits.or([otherOf(bits.name)]), 1, [1, 2, 3]),
    calling('xor', (bits) => bits.xor([otherOf(bits.name)]), 1, [1, 3]),
    calling('diff', (bits) => bits.diff([otherOf(bits.name)]), 1, [1]),
    calling('diffInverse', (bits) => bits.diffInverse([otherOf(bits.name)]), 1, [3]),
    calling('andOr', (bits) => bits.andOr([otherOf(bits.name)]), 1, [2]),
    calling('setExclusive', (bits) => bits.setExclusive([otherOf(bits.name)]), 1, [1, 3]),
    calling('setUnsigned', (bits) => bits.setUnsigned(4, 0, 9), 6, [0, 3]),
    calling('incrementAndGetUnsigned', (bits) => bits.incrementAndGetUnsigned(4, 0, 1), 7, [1, 2, 3]),
    calling('setLong', (bits) => bits.setLong(3, 1), 0, [1, 2, 66]),
    calling('bitField', (bits) => bits.bitField([{ increment: 'u2', offset: 0, by: 1 }]), [2], [0, 2]),
  ],
  look,
)

function overtaken(
  what: string,
  call: (bits: RBitSet) => Promise<unknown>,
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare,
    call: (client, name, exactlyOnce) => call(client.getBitSet(name, { exactlyOnce })),
    between: async (client, name) => {
      await client.getBitSet(name).setAll([2, 6])
      await client.getBitSet(name).set(1, false)
    },
    answer,
    rejects,
  }
}

testOvertakenCalls(
  'a bit set',
  [
    overtaken('set', (bits) => bits.set(6), false, true),
    overtaken('set to 0', (bits) => bits.set(1, false), true, true),
    overtaken('setAll', (bits) => bits.setAll([1, 4]), undefined),
    overtaken('setRange to 0', (bits) => bits.setRange(2, 7, false), undefined),
    overtaken('setByteArray', (bits) => bits.setByteArray(Uint8Array.of(0x81)), undefined),
    overtaken('not', (bits) => bits.not(), 1, true),
    overtaken('or', (bits) => bits.or([otherOf(bits.name)]), 1),
    overtaken('diff', (bits) => bits.diff([otherOf(bits.name)]), 1),
    overtaken('xor', (bits) => bits.xor([otherOf(bits.name)]), 1, true),
    overtaken('diffInverse', (bits) => bits.diffInverse([otherOf(bits.name)]), 1, true),
    overtaken('setExclusive', (bits) => bits.setExclusive([otherOf(bits.name)]), 1, true),
    overtaken('incrementAndGetByte', (bits) => bits.incrementAndGetByte(0, 1), 97, true),
    overtaken('setLong', (bits) => bits.setLong(3, 1), 0, true),
  ],
  look,
)

function from(first: number, behind: number): readonly number[] {
  return Array.from({ length: behind - first }, (_, n) => first + n)
}
