import { types } from 'node:util'
import { BIG_DECIMAL, BIG_INTEGER, isIntegerClass } from './class-names.js'

/** How Java wrote a value that remembers nothing itself. */
export interface Mark {
  /** With a class beside it; or without: as it is, with a point if it is a number, or as a text if it is bytes. */
  readonly form: 'class' | 'plain' | 'fraction' | 'base64'
  /** The class beside it; empty if there is none. */
  readonly className: string
  /** The kind of value that it is for; undefined for any. */
  readonly kind: string | undefined
}

export const PLAIN: Mark = { form: 'plain', className: '', kind: undefined }
export const PLAIN_NUMBER: Mark = { form: 'plain', className: '', kind: 'number' }
export const FRACTION: Mark = { form: 'fraction', className: '', kind: 'number' }
export const BASE64: Mark = { form: 'base64', className: '', kind: 'object' }

export function classMark(className: string, kind?: string): Mark {
  return { form: 'class', className, kind }
}

/** The class of lists and objects that have none in the JSON. */
export const NO_CLASS = ''

/** What is remembered of a list or an object that was read, so that it is written as it was. */
export interface Memory {
  readonly className: string
  /** By the name of the member; in a list or set by the item, since items change their places. */
  readonly marks: ReadonlyMap<unknown, Mark>
  /** The mark that all items or all values of a map have, so that a new one has it too. */
  readonly common: Mark | undefined
}

/** All codecs share it: what one has read another may write. */
const memories = new WeakMap<object, Memory>()

export function remember(object: object, memory: Memory): void {
  memories.set(object, memory)
}

export function remembered(object: object): Memory | undefined {
  return memories.get(object)
}

/** Returns the mark of a member or an item, unless it does not fit what that is by now. */
export function markIn(memory: Memory | undefined, at: unknown, value: unknown): Mark | undefined {
  const mark = memory?.marks.get(at) ?? memory?.common
  return mark !== undefined && fits(mark, value) ? mark : undefined
}

/** Whether Java could read the value with the mark. */
export function fits({ form, className, kind }: Mark, value: unknown): boolean {
  if (form === 'base64') return types.isUint8Array(value)
  if (className === BIG_DECIMAL) return isDecimal(value)
  if (className === BIG_INTEGER || isIntegerClass(className))
    return typeof value === 'bigint' || Number.isInteger(value)
  return kind === undefined || kind === kindOfMarked(value)
}

export function kindOfMarked(value: unknown): string {
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** The digits of a `BigDecimal` are a text here, since a number would lose some. */
function isDecimal(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length <= 1000 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,4})?$/.test(value)
  return typeof value === 'bigint' || Number.isFinite(value)
}
