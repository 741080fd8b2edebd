import type { JacksonCodecOptions, JacksonField, JacksonType } from '../../api/codec.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'
import { demandNames } from '../codec-options.js'
import { BIG_DECIMAL, BIG_INTEGER, isClassName, isMapClass, LONG, UUID } from './class-names.js'
import { BASE64, classMark, FRACTION, type Mark, PLAIN } from './memory.js'

const FIELDS: Readonly<Record<JacksonField, Mark>> = {
  plain: PLAIN,
  double: FRACTION,
  Long: classMark(LONG, 'number'),
  UUID: classMark(UUID, 'string'),
  BigDecimal: classMark(BIG_DECIMAL),
  BigInteger: classMark(BIG_INTEGER, 'number'),
  'byte[]': BASE64,
}

/** A class of Java that the program registered with the codec. */
export interface KnownType {
  readonly name: string
  readonly prototype: object
  readonly fields: ReadonlyMap<string, Mark>
}

/** The classes of Java that the program registered with the codec. */
export class JacksonTypes {
  readonly #byName = new Map<string, KnownType>()
  readonly #byPrototype = new Map<unknown, KnownType>()

  /** @throws `TypeError` for what is no class of Java, or no class here */
  constructor(types: JacksonCodecOptions['types'] = {}) {
    demandObject('`types` of jacksonCodec()', types)
    for (const [name, type] of Object.entries(types)) {
      const known = typeOf(name, type)
      this.#byName.set(name, known)
      if (known.prototype === Object.prototype) continue
      const other = this.#byPrototype.get(known.prototype)
      if (other !== undefined)
        throw new TypeError(
          `Expected each class in \`types\` of jacksonCodec() once, got one for ${other.name} and ${name}`,
        )
      this.#byPrototype.set(known.prototype, known)
    }
  }

  named(name: string): KnownType | undefined {
    return this.#byName.get(name)
  }

  /** The class of Java that objects like this one are written as. */
  of(value: object): KnownType | undefined {
    return this.#byPrototype.get(Object.getPrototypeOf(value))
  }

  /** Whether a value may say by itself that it is of this class. Which classes Java makes is a matter of trust. */
  maySay(name: string): boolean {
    return this.#byName.has(name) || isMapClass(name)
  }
}

function typeOf(name: string, type: JacksonType): KnownType {
  const where = `\`types\` of jacksonCodec()`
  if (!isClassName(name))
    throw new TypeError(`Expected the names in ${where} to be those of classes, got ${inspectWord(name)}`)
  demandObject(`${name} in ${where}`, type)
  demandNames(`${name} in ${where}`, type, ['class', 'fields'])
  return { name, prototype: prototypeOf(name, type.class), fields: fieldsOf(name, type.fields ?? {}) }
}

function prototypeOf(name: string, type: unknown): object {
  if (type === undefined) return Object.prototype
  const prototype: unknown = typeof type === 'function' ? type.prototype : undefined
  if (typeof prototype === 'object' && prototype !== null) return prototype
  throw new TypeError(`Expected \`class\` of ${name} to be a class, got ${inspectShort(type)}`)
}

function fieldsOf(name: string, fields: object): ReadonlyMap<string, Mark> {
  demandObject(`\`fields\` of ${name}`, fields)
  return new Map(
    Object.entries(fields).map(([field, type]: [string, unknown]) => {
      if (typeof type === 'string' && Object.hasOwn(FIELDS, type))
        return [field, FIELDS[type as JacksonField]]
      const expected = Object.keys(FIELDS).join(', ')
      throw new TypeError(`Expected ${field} of ${name} to be one of ${expected}, got ${inspectWord(type)}`)
    }),
  )
}

function demandObject(what: string, value: unknown): void {
  if (isPlain(value)) return
  throw new TypeError(`Expected ${what} to be an object, got ${inspectShort(value)}`)
}
