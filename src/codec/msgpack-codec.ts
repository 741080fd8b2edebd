import { createRequire } from 'node:module'
import { types } from 'node:util'
import type { Codec } from '../api/codec.js'
import { MissingPackageError } from '../errors/codec-errors.js'
import { asBuffer } from './bytes.js'
import { cannotDecode, kindOf } from './codec-failure.js'
import { JsonTrail } from './json/json-trail.js'
import { hasToJson, isOpaque } from './json/json-writer.js'
import { inspectMsgpack } from './msgpack-bytes.js'

const NAME = 'msgpack'
const PACKAGE = 'msgpackr'

/** No form that other readers of MessagePack do not know. Integers of 64 bits are read with all digits, and made numbers where those hold them. */
const OPTIONS = { useRecords: false, copyBuffers: true, int64AsType: 'bigint', skipValues: [undefined] }

/** What is needed of the package. Its own types are not installed everywhere, and lag behind its options. */
interface Package {
  readonly Packr: new (options: object) => Packr
}
interface Packr {
  pack(value: unknown): Buffer
  unpack(bytes: Buffer): unknown
}

const LARGEST_LONG = 2n ** 63n

/**
 * Writes values as MessagePack, by the package `msgpackr`, which the program has to install. It takes fewer bytes than JSON, and knows bytes and
 * dates: a `Uint8Array` comes back as a `Buffer`, a `Date` as a `Date`.
 *
 * Redisson for Java has other frames around such values, so they are for Node, and for what else reads MessagePack.
 *
 * Members that are `undefined` are left out. What would come back as something else is an error: `Map`, `Set`, functions, symbols, circles,
 * objects with a `toJSON()`, `undefined` in a list, and a `number` or `bigint` that an integer of 64 bits cannot hold exactly. An integer comes back as
 * a `number` up to 2⁵³ − 1, and beyond that as a `bigint`. −0 is written as 0. Texts that are no UTF-8 are not read.
 *
 * @typeParam T - what the program says is written and read. Nothing checks it.
 * @throws {@link MissingPackageError} if the package is not installed
 */
export function msgpackCodec<T = unknown>(): Codec<T> {
  return new MsgpackCodec<T>(load())
}

/** MessagePack. */
class MsgpackCodec<T> implements Codec<T> {
  readonly name = NAME
  readonly #packr: Packr

  constructor(packr: Packr) {
    this.#packr = packr
  }

  encode(value: T): Uint8Array {
    demandSayable(value, new JsonTrail(NAME, 'what MessagePack can say'))
    return this.#packr.pack(value)
  }

  decode(bytes: Uint8Array): T {
    try {
      const { hasLongs } = inspectMsgpack(bytes)
      const value = this.#packr.unpack(asBuffer(bytes))
      return (hasLongs ? withNumbers(value) : value) as T
    } catch {
      // The error of the package may cite the content, so it is no cause.
      throw cannotDecode(NAME, 'MessagePack', bytes)
    }
  }
}

/** Loaded when the codec is made, so that only its users need the package. */
function load(): Packr {
  try {
    const { Packr } = createRequire(import.meta.url)(PACKAGE) as Package
    return new Packr(OPTIONS)
  } catch (cause) {
    throw new MissingPackageError('msgpackCodec()', PACKAGE, { cause })
  }
}

/** Makes numbers of the integers that those hold exactly, in a value that was just read. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    const read = withNumbers(member)
    if (read !== member) members[name] = read
  }
  return value
}

function isSafe(value: bigint): boolean {
  return Number.isSafeInteger(Number(value))
}

/** Refuses what the package would silently make something else of. */
function demandSayable(value: unknown, trail: JsonTrail): void {
  switch (typeof value) {
    case 'boolean':
      return
    case 'string':
      if (!value.isWellFormed()) trail.refuse('a text with half of a surrogate pair')
      return
    case 'number':
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        trail.refuse('a whole number beyond 2⁵³ − 1')
      return
    case 'bigint':
      if (value < -LARGEST_LONG || value >= 2n * LARGEST_LONG) trail.refuse('a bigint of more than 64 bits')
      return
    case 'object':
      if (value !== null) demandSayableObject(value, trail)
      return
    default:
      trail.refuse(kindOf(value))
  }
}

function demandSayableObject(value: object, trail: JsonTrail): void {
  if (types.isUint8Array(value) || isValidDate(value)) return
  if (ArrayBuffer.isView(value) || types.isDate(value)) trail.refuse(kindOf(value))
  if (hasToJson(value)) trail.refuse('an object with a toJSON()')
  if (!Array.isArray(value) && isOpaque(value)) trail.refuse(kindOf(value))
  trail.enter(value, 1)
  if (Array.isArray(value)) demandItems(value, trail)
  else demandMembers(value, trail)
  trail.leave(value, 1)
}

function isValidDate(value: object): boolean {
  return types.isDate(value) && !Number.isNaN(value.getTime())
}

function demandItems(items: readonly unknown[], trail: JsonTrail): void {
  for (let at = 0; at < items.length; at += 1) {
    trail.step(at)
    demandSayable(items[at], trail)
    trail.stepBack()
  }
}

function demandMembers(value: object, trail: JsonTrail): void {
  for (const [name, member] of Object.entries(value)) {
    trail.step(name)
    if (name === '__proto__') trail.refuse('a member of this name')
    if (!name.isWellFormed()) trail.refuse('a name with half of a surrogate pair')
    if (member !== undefined) demandSayable(member, trail)
    trail.stepBack()
  }
}
