import { types } from 'node:util'
import { asBuffer } from '../bytes.js'
import { kindOf } from '../codec-failure.js'
import { javaDouble } from '../java-double.js'
import { JsonTrail } from '../json/json-trail.js'
import { digitsOf, hasToJson, isOpaque, jsonNumber, TOO_LONG } from '../json/json-writer.js'
import {
  ARRAY_LIST,
  BIG_DECIMAL,
  BIG_INTEGER,
  BYTES,
  CLASS,
  DATE,
  HASH_SET,
  isFractionArray,
  isFractionClass,
  isInt,
  isMapClass,
  isPlainArray,
  LINKED_HASH_MAP,
  LONG,
} from './class-names.js'
import type { JacksonTypes } from './jackson-types.js'
import { fits, FRACTION, type Mark, markIn, type Memory, NO_CLASS, PLAIN, remembered } from './memory.js'

/** Writes values as JSON with the marks of Jackson: those that are remembered, or those of the classes that a value has by itself. */
export class JacksonWriter {
  readonly #types: JacksonTypes
  readonly #trail: JsonTrail

  constructor(types: JacksonTypes, codec: string) {
    this.#types = types
    this.#trail = new JsonTrail(codec)
  }

  write(value: unknown): string {
    return this.#demanded(value, undefined, true)
  }

  #demanded(value: unknown, mark: Mark | undefined, declared: boolean): string {
    return this.#written(value, mark, declared) ?? this.#trail.refuse(kindOf(value))
  }

  /**
   * Returns undefined for an absent value, which is left out of an object.
   *
   * @param declared - whether Java knows the class of bytes from the place: the value itself, or the field of a bean
   */
  #written(value: unknown, mark: Mark | undefined, declared: boolean): string | undefined {
    switch (typeof value) {
      case 'undefined':
        return undefined
      case 'string':
        return textOf(value, mark)
      case 'boolean':
        return marked(mark, String(value))
      case 'number':
        return numberOf(value, mark) ?? this.#trail.refuse(kindOf(value))
      case 'bigint':
        return this.#integer(value, mark)
      case 'object':
        return value === null ? 'null' : this.#inside(value, mark, declared)
      default:
        return this.#trail.refuse(kindOf(value))
    }
  }

  #integer(value: bigint, mark: Mark | undefined): string {
    const digits = digitsOf(value) ?? this.#trail.refuse(TOO_LONG)
    if (mark?.form === 'plain') return digits
    const usual = BigInt.asIntN(64, value) === value ? LONG : BIG_INTEGER
    return inClass(mark?.form === 'class' ? mark.className : usual, digits)
  }

  #inside(value: object, mark: Mark | undefined, declared: boolean): string | undefined {
    const levels = Array.isArray(value) || types.isSet(value) ? 2 : 1 // the class of a list is in a list around it
    this.#trail.enter(value, levels)
    const text = this.#object(value, mark, declared)
    this.#trail.leave(value, levels)
    return text
  }

  #object(value: object, mark: Mark | undefined, declared: boolean): string | undefined {
    if (types.isUint8Array(value)) return bytesOf(value, mark, declared)
    if (ArrayBuffer.isView(value)) return this.#trail.refuse(kindOf(value))
    if (types.isDate(value)) return this.#date(value, mark)
    if (hasToJson(value)) return this.#written(value.toJSON(this.#trail.name), mark, declared)
    if (Array.isArray(value)) return this.#list(value, value, mark, ARRAY_LIST)
    if (types.isSet(value)) return this.#list(value, [...value], mark, HASH_SET)
    if (types.isMap(value)) return this.#members([...this.#textKeys(value)], LINKED_HASH_MAP, undefined)
    if (isOpaque(value)) return this.#trail.refuse(kindOf(value))
    const members = Object.entries(value).filter(([name]) => name !== CLASS)
    return this.#members(members, this.#classOf(value, mark), remembered(value))
  }

  #date(value: Date, mark: Mark | undefined): string {
    const time = value.getTime()
    if (Number.isNaN(time)) return this.#trail.refuse(kindOf(value))
    return mark === undefined ? inClass(DATE, String(time)) : marked(mark, String(time))
  }

  #list(list: object, items: readonly unknown[], mark: Mark | undefined, usual: string): string {
    const memory = remembered(list)
    const className = mark?.form === 'plain' ? NO_CLASS : (memory?.className ?? usual)
    const form = formOfItems(className)
    const texts: string[] = []
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at]
      const markOfItem = markIn(memory, item, item) ?? formFor(item, form)
      this.#trail.step(at)
      texts.push(this.#demanded(item, markOfItem, false))
      this.#trail.stepBack()
    }
    return inClass(className, `[${texts.join(',')}]`)
  }

  #textKeys(map: ReadonlyMap<unknown, unknown>): ReadonlyMap<string, unknown> {
    for (const name of map.keys()) {
      if (typeof name !== 'string') return this.#trail.refuse(`a Map with ${kindOf(name)} as a key`)
      if (name === CLASS) return this.#trail.refuse(`a Map with the key ${CLASS}`)
    }
    return map as ReadonlyMap<string, unknown>
  }

  #classOf(value: object, mark: Mark | undefined): string {
    const own = this.#ownClass(value)
    if (own !== undefined) return own
    if (mark?.form === 'plain') return NO_CLASS
    return remembered(value)?.className ?? this.#types.of(value)?.name ?? LINKED_HASH_MAP
  }

  /** The class that an object names itself. The name may come from outside, and Java makes objects of the class. */
  #ownClass(value: object): string | undefined {
    if (!Object.hasOwn(value, CLASS)) return undefined
    const name = (value as Readonly<Record<string, unknown>>)[CLASS]
    if (typeof name === 'string' && this.#types.maySay(name)) return name
    return this.#trail.refuse(`an object whose ${CLASS} is not among the \`types\` of the codec`)
  }

  /** Members of a bean are in the order of their names, those of a map in their own. Those that are null are left out of both. */
  #members(members: [string, unknown][], className: string, memory: Memory | undefined): string {
    const isBean = !isMapClass(className)
    const fields = this.#types.named(className)?.fields
    const texts = className === NO_CLASS ? [] : [`"${CLASS}":${JSON.stringify(className)}`]
    if (isBean) members.sort(byName)
    for (const [name, member] of members) {
      this.#trail.step(name)
      const mark = this.#fieldOf(fields?.get(name), member) ?? markIn(memory, name, member)
      const text = this.#written(member, mark, isBean)
      this.#trail.stepBack()
      if (text !== undefined && text !== 'null') texts.push(`${JSON.stringify(name)}:${text}`)
    }
    return `{${texts.join(',')}}`
  }

  #fieldOf(field: Mark | undefined, member: unknown): Mark | undefined {
    if (field === undefined || member === undefined || member === null || fits(field, member)) return field
    return this.#trail.refuse(`${kindOf(member)} where \`types\` has another type of field`)
  }
}

function textOf(value: string, mark: Mark | undefined): string {
  return marked(mark, mark?.className === BIG_DECIMAL ? value : JSON.stringify(value))
}

/** Returns undefined for a number without digits, unless its class distinguishes it from a text. */
function numberOf(value: number, mark: Mark | undefined): string | undefined {
  const isOfClass = mark !== undefined && isFractionClass(mark.className)
  if (!Number.isFinite(value)) return isOfClass ? marked(mark, `"${value}"`) : undefined
  if (isOfClass || mark?.form === 'fraction') return marked(mark, javaDouble(value))
  if (mark !== undefined) return marked(mark, jsonNumber(value))
  return Number.isSafeInteger(value) && !isInt(value) ? inClass(LONG, String(value)) : jsonNumber(value)
}

/** Java reads bytes from a text where it knows from the place that they are bytes. */
function bytesOf(value: Uint8Array, mark: Mark | undefined, declared: boolean): string {
  const text = `"${asBuffer(value).toString('base64')}"`
  return mark === undefined && !declared ? inClass(BYTES, text) : marked(mark, text)
}

function marked(mark: Mark | undefined, text: string): string {
  return mark === undefined ? text : inClass(mark.className, text)
}

function inClass(className: string, text: string): string {
  return className === NO_CLASS ? text : `[${JSON.stringify(className)},${text}]`
}

/** The items of an array have its type, and no class of their own. */
function formOfItems(className: string): Mark | undefined {
  if (className === NO_CLASS || isPlainArray(className)) return PLAIN
  return isFractionArray(className) ? FRACTION : undefined
}

function formFor(item: unknown, form: Mark | undefined): Mark | undefined {
  if (form === undefined || !fits(form, item)) return undefined
  return typeof item === 'object' && item !== null && remembered(item) !== undefined ? undefined : form
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
