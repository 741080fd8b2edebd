import type { RBitSet } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  truth,
  iteration,
  type Sample,
} from '../../contracts/subject.js'
import {
  aborting,
  bytes,
  flag,
  list,
  one,
  options,
  place,
  whole,
  type Argument,
} from '../../contracts/takes.js'

const indexes = list(place, [1, 5], new Set([7]), [])
const names = list(one('b'), ['bitSet'], ['bitSet', 'b'], [])
const size = whole(0, 66, 8)
const cell = whole(-200, 200, 1)
const overflow = options({ overflow: one('FAIL') }, { increment: one('u8'), offset: place, by: cell })
const operations = list(
  overflow,
  [{ get: 'u8', offset: 0 }],
  [
    { set: 'i5', offset: 9, value: -3 },
    { increment: 'u4', offset: 2, by: 7, overflow: 'FAIL' },
  ],
  [{ set: 'u64', offset: 0, value: 1 }],
  [],
)

/** The methods for numbers of one type, whose size may be a further argument. */
function cells<Type extends string>(type: Type, ...size: readonly Argument[]) {
  return {
    ...fromReplica({ [`get${type}`]: method(number, ...size, place) }),
    [`set${type}`]: method(number, ...size, place, cell),
    [`incrementAndGet${type}`]: method(number, ...size, place, cell),
  } as Readonly<Record<`${'get' | 'set' | 'incrementAndGet'}${Type}`, Sample>>
}

export const bitSet = dataObject<RBitSet>({
  make: (client, name) => client.getBitSet(name),
  fill: (made) => made.setAll([1, 9]),
  use: async (made) => [await made.set(9), await made.set(3), await made.cardinality()],
  methods: {
    ...expirable,
    ...cells('Signed', size),
    ...cells('Unsigned', size),
    ...cells('Byte'),
    ...cells('Short'),
    ...cells('Integer'),
    ...cells('Long'),
    ...fromReplica({
      get: method(truth, place),
      getEach: method(Array.isArray, indexes),
      cardinality: method(number),
      length: method(number),
      size: method(number),
      toByteArray: method(isObject),
      indexes: iteration(aborting),
      [Symbol.asyncIterator]: iteration(),
      bitField: method(Array.isArray, operations), // whose sample only reads
    }),
    set: method(truth, place, flag),
    setAll: method(nothing, indexes, flag),
    setRange: method(nothing, place, whole(0, 60), flag),
    clear: method(nothing),
    setByteArray: method(nothing, bytes),
    not: method(number),
    and: method(number, names),
    or: method(number, names),
    xor: method(number, names),
    diff: method(number, names),
    diffInverse: method(number, names),
    andOr: method(number, names),
    setExclusive: method(number, names),
  },
})
