/** The member that has the class of an object. */
export const CLASS = '@class'

/** Classes of Java whose values have a type of JavaScript of their own. */
export const LINKED_HASH_MAP = 'java.util.LinkedHashMap'
export const ARRAY_LIST = 'java.util.ArrayList'
export const HASH_SET = 'java.util.HashSet'
export const DATE = 'java.util.Date'
export const UUID = 'java.util.UUID'
export const LONG = 'java.lang.Long'
export const BIG_INTEGER = 'java.math.BigInteger'
export const BIG_DECIMAL = 'java.math.BigDecimal'
export const BYTES = '[B'

const INTEGERS: ReadonlySet<string> = new Set([
  LONG,
  'java.lang.Integer',
  'java.lang.Short',
  'java.lang.Byte',
  'java.util.concurrent.atomic.AtomicLong',
  'java.util.concurrent.atomic.AtomicInteger',
])

/** A class in a package, as Java programs name them, with the types it is of if it is one such as `EnumSet`; or an array. */
const className = /^(?:(?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:<[\w$.,<>]+>)?|\[+(?:[ZBCDFIJS]|L[\w$.]+;))$/

/** The longest name that is taken for that of a class. */
const LONGEST = 1000

/** Whether Java takes the first of two items for the class of the second. */
export function isClassName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= LONGEST && className.test(text)
}

/** The name of a class where nothing else can stand, whatever its letters: obfuscated programs have classes such as `a.b.c`. */
const qualifiedName = /^(?:[\p{L}_$][\p{L}\d_$]*\.)+[\p{L}_$][\p{L}\d_$]*$/u

/** Whether the first of two items is the class of the second where Java writes the class of every list. */
export function isQualifiedName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= LONGEST && qualifiedName.test(text)
}

export function isMapClass(name: string): boolean {
  return /^java\.util\.(?:[\w.]+[.$])?\w*(?:Map[1N]?|Properties|Hashtable)(?:<|$)/.test(name)
}

export function isSetClass(name: string): boolean {
  return /^java\.util\.(?:[\w.]+[.$])?\w*Set(?:12|N|View|FromMap)?(?:<|$)/.test(name)
}

export function isDateClass(name: string): boolean {
  return /^java\.(?:util\.(?:Date|Calendar|GregorianCalendar)|sql\.(?:Date|Timestamp))$/.test(name)
}

export function isIntegerClass(name: string): boolean {
  return INTEGERS.has(name)
}

export function isFractionClass(name: string): boolean {
  return name === 'java.lang.Double' || name === 'java.lang.Float'
}

/** Arrays whose items are numbers or texts without a class of their own. */
export function isPlainArray(name: string): boolean {
  return /^\[[ZCIJS]$/.test(name)
}

/** Arrays whose items are arrays, of which the outer one says the class. */
export function isArrayOfArrays(name: string): boolean {
  return name.startsWith('[[')
}

export function isFractionArray(name: string): boolean {
  return name === '[D' || name === '[F'
}

/** Whether the integer is of 32 bits. Java writes no class beside such a one. */
export function isInt(value: number): boolean {
  return (value | 0) === value
}
