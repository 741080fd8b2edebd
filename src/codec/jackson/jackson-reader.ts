import { MAX_DEPTH } from '../json/json-trail.js'
import {
  BIG_DECIMAL,
  BIG_INTEGER,
  BYTES,
  CLASS,
  isArrayOfArrays,
  isClassName,
  isDateClass,
  isFractionClass,
  isInt,
  isIntegerClass,
  isMapClass,
  isQualifiedName,
  isSetClass,
} from './class-names.js'
import { Decimal } from './decimals.js'
import type { JacksonTypes, KnownType } from './jackson-types.js'
import {
  BASE64,
  classMark,
  FRACTION,
  kindOfMarked,
  type Mark,
  NO_CLASS,
  PLAIN,
  PLAIN_NUMBER,
  remember,
} from './memory.js'

/** A value, and how Java wrote it. */
interface Marked {
  readonly value: unknown
  readonly mark: Mark | undefined
}

/** Makes values of JSON with the marks of Jackson, and remembers the marks. */
export class JacksonReader {
  readonly #types: JacksonTypes
  readonly #classMember: boolean
  #depth = 0
  /**
   * Whether Java writes the class of each list here, as in a list or a map of its own. Undefined for the value as a whole, and false in a
   * bean, where the type of a field may say it.
   */
  #areClassed: boolean | undefined

  constructor(types: JacksonTypes, classMember: boolean) {
    this.#types = types
    this.#classMember = classMember
  }

  /** @throws `RangeError` for lists and objects that are too deep in each other */
  read(node: unknown): unknown {
    return this.#marked(node).value
  }

  #marked(node: unknown): Marked {
    if (node instanceof Decimal) return { value: Number(node.source), mark: FRACTION }
    if (typeof node === 'number' || typeof node === 'bigint') return { value: node, mark: markOf(node) }
    if (typeof node !== 'object' || node === null) return unmarked(node)
    return this.#inside(() => (Array.isArray(node) ? this.#array(node) : unmarked(this.#object(node))))
  }

  #inside<R>(read: () => R): R {
    if (this.#depth >= MAX_DEPTH)
      throw new RangeError(`Expected at most ${MAX_DEPTH} levels of lists and objects`)
    this.#depth += 1
    const result = read()
    this.#depth -= 1
    return result
  }

  /** Two items of which the first one is the name of a class are a value of that class, as they are for Java. */
  #array(items: readonly unknown[]): Marked {
    const [name, content] = items
    if (items.length !== 2 || !this.#isClass(name))
      return unmarked(this.#within(false, () => this.#list(items, NO_CLASS)))
    if (!Array.isArray(content)) return this.#scalar(name, content)
    return unmarked(this.#inside(() => this.#collection(content, name)))
  }

  #isClass(name: unknown): name is string {
    return isClassName(name) || (this.#areClassed === true && isQualifiedName(name))
  }

  #within<R>(areClassed: boolean, read: () => R): R {
    const outer = this.#areClassed
    this.#areClassed = outer !== false && areClassed
    const result = read()
    this.#areClassed = outer
    return result
  }

  #collection(items: readonly unknown[], className: string): unknown[] | Set<unknown> {
    return this.#within(!isArrayOfArrays(className), () =>
      isSetClass(className) ? this.#set(items, className) : this.#list(items, className),
    )
  }

  #scalar(name: string, content: unknown): Marked {
    const value = this.#valueOf(name, content)
    return { value, mark: classMark(name, kindOfMarked(value)) }
  }

  #valueOf(name: string, content: unknown): unknown {
    if (name === BIG_DECIMAL) return content instanceof Decimal ? content.source : String(content)
    if (name === BYTES && typeof content === 'string') return Buffer.from(content, 'base64')
    const value = isNumberClass(name) ? numberOf(content) : this.read(content)
    if (name === BIG_INTEGER && typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
    return isDateClass(name) ? dateOf(value) : value
  }

  #list(items: readonly unknown[], className: string): unknown[] {
    const parts = items.map((item) => this.#marked(item))
    const list = parts.map(({ value }) => value)
    rememberItems(list, className, parts)
    return list
  }

  #set(items: readonly unknown[], className: string): Set<unknown> {
    const parts = items.map((item) => this.#marked(item))
    const set = new Set(parts.map(({ value }) => value))
    rememberItems(set, className, parts)
    return set
  }

  #object(node: object): object {
    const className = classOf(node)
    const known = this.#types.named(className)
    const result = Object.create(known?.prototype ?? Object.prototype) as object
    if (this.#classMember && known) put(result, CLASS, className)
    const parts = new Map<string, Marked>()
    const isMap = isMapClass(className)
    this.#within(isMap, () => {
      for (const [name, member] of Object.entries(node)) {
        if (name === CLASS && className !== NO_CLASS) continue
        const part = this.#member(member, name, known)
        put(result, name, part.value)
        parts.set(name, part)
      }
    })
    const common = isMap ? commonMark(parts.values()) : undefined
    remember(result, { className, marks: marksOf(parts), common })
    return result
  }

  #member(node: unknown, name: string, known: KnownType | undefined): Marked {
    const field = known?.fields.get(name)
    if (field === BASE64 && typeof node === 'string') return unmarked(Buffer.from(node, 'base64'))
    if (field === PLAIN && Array.isArray(node))
      return unmarked(this.#inside(() => this.#list(node, NO_CLASS)))
    return this.#marked(node)
  }
}

function unmarked(value: unknown): Marked {
  return { value, mark: undefined }
}

/** Java wrote an integer of more bits without its class where it knew the class from the field. */
function markOf(value: number | bigint): Mark | undefined {
  if (typeof value === 'bigint') return PLAIN_NUMBER
  if (!Number.isInteger(value)) return FRACTION
  return isInt(value) ? undefined : PLAIN_NUMBER
}

function classOf(node: object): string {
  const name: unknown = Object.hasOwn(node, CLASS)
    ? (node as Readonly<Record<string, unknown>>)[CLASS]
    : undefined
  return typeof name === 'string' ? name : NO_CLASS
}

/** Names such as `__proto__` are members like others, and call no setter. */
function put(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

function rememberItems(items: object, className: string, parts: readonly Marked[]): void {
  const marks = marksOf(parts.map((part) => [part.value, part]))
  remember(items, { className, marks, common: commonMark(parts) })
}

function marksOf(parts: Iterable<readonly [unknown, Marked]>): Map<unknown, Mark> {
  const marks = new Map<unknown, Mark>()
  for (const [at, { mark }] of parts) if (mark !== undefined) marks.set(at, mark)
  return marks
}

function commonMark(parts: Iterable<Marked>): Mark | undefined {
  const [first, ...others] = [...parts].filter(({ value }) => value !== null).map(({ mark }) => mark)
  return others.every((mark) => mark?.form === first?.form && mark?.className === first?.className)
    ? first
    : undefined
}

function isNumberClass(name: string): boolean {
  return name === BIG_INTEGER || isIntegerClass(name) || isFractionClass(name)
}

/** Java reads these from texts too. */
function numberOf(content: unknown): unknown {
  if (content instanceof Decimal) return Number(content.source)
  if (typeof content !== 'string') return content
  if (/^(?:NaN|-?Infinity)$/.test(content)) return Number(content)
  if (!/^-?\d{1,40}$/.test(content)) return content
  const value = Number(content)
  return Number.isSafeInteger(value) ? value : BigInt(content)
}

function dateOf(value: unknown): unknown {
  const date = typeof value === 'number' || typeof value === 'string' ? new Date(value) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? value : date
}
