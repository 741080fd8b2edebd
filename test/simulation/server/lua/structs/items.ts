import type { Bytes } from '../../reply.js'
import type { Arguments } from '../library/arguments.js'
import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'

/** One option of a format, and where its value lies. */
export interface Item {
  readonly option: string
  /** In bytes. That of a string is 0: it is as long as it is. */
  readonly size: number
  /** How many bytes come before it so that it is aligned. */
  readonly padding: number
  readonly isLittleEndian: boolean
}

/** The sizes of what C has on the machines that servers run on. */
const SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, l: 8, t: 8, f: 4, d: 8, x: 1 }
const SIZE_OF_INT = 4
const LARGEST_INTEGER = 32
const USUAL_ALIGNMENT = 8
const LARGEST_COUNT = 2 ** 31 - 1

const OPTIONS_WITH_VALUES = /^[bBhHlLTiIxfdcs]$/
const COUNT = /\d*/y

/** Reads a format of `struct.pack`. The next item is asked for with the number of bytes that come before it. */
export class Format {
  readonly #text: Bytes
  readonly #args: Arguments
  readonly #thread: Thread
  readonly #isLenient: boolean
  #at = 0
  #isLittleEndian = true
  #alignment = 1

  /** @param options - whether letters and digits that are no options are passed over */
  constructor(args: Arguments, thread: Thread, { isLenient = false } = {}) {
    this.#isLenient = isLenient
    const [text = ''] = args.text(1).split('\0') // as C ends it
    this.#text = text
    this.#args = args
    this.#thread = thread
  }

  next(offset: number): Item | undefined {
    for (;;) {
      const option = this.#text[this.#at]
      if (option === undefined) return undefined
      this.#at += 1
      if (OPTIONS_WITH_VALUES.test(option)) return this.#item(option, offset)
      this.#setting(option)
    }
  }

  #item(option: string, offset: number): Item {
    const size = this.#sizeOf(option)
    const padding = option === 'c' ? 0 : paddingOf(offset, Math.min(size, this.#alignment))
    return { option, size, padding, isLittleEndian: this.#isLittleEndian }
  }

  #sizeOf(option: string): number {
    if (option === 's') return 0
    if (option === 'c') return this.#count(1)
    if (option !== 'i' && option !== 'I') return SIZES[option.toLowerCase()] ?? 0
    const size = this.#count(SIZE_OF_INT)
    if (size <= LARGEST_INTEGER) return size
    throw failure(this.#thread, `integral size ${size} is larger than limit of ${LARGEST_INTEGER}`)
  }

  #setting(option: string): void {
    switch (option) {
      case ' ':
        return
      case '<':
      case '>':
        this.#isLittleEndian = option === '<'
        return
      case '!':
        this.#alignment = this.#powerOfTwo(this.#count(USUAL_ALIGNMENT))
        return
      default:
        if (this.#isLenient && /[A-Za-z0-9]/.test(option)) return
        throw this.#args.error(1, `invalid format option '${option}'`)
    }
  }

  #powerOfTwo(alignment: number): number {
    if (alignment > 0 && (alignment & (alignment - 1)) === 0) return alignment
    throw failure(this.#thread, `alignment ${alignment} is not a power of 2`)
  }

  #count(usual: number): number {
    COUNT.lastIndex = this.#at
    const digits = COUNT.exec(this.#text)?.[0] ?? ''
    this.#at += digits.length
    const count = digits === '' ? usual : Number(digits)
    if (count > LARGEST_COUNT) throw failure(this.#thread, 'integral size overflow')
    return count
  }
}

function paddingOf(offset: number, alignment: number): number {
  return alignment === 0 ? 0 : (alignment - (offset & (alignment - 1))) & (alignment - 1)
}
