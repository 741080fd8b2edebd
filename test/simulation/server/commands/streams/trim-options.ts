import { CommandError, syntaxError } from '../../command-error.js'
import { demandCount } from '../../numbers.js'
import type { Bytes } from '../../reply.js'
import { demandId, type EntryId } from '../../streams/entry-id.js'
import type { Trimming } from '../../streams/stream.js'

type Strategy = Pick<Trimming, 'isDone' | 'removesNode' | 'removes'>

/** How many entries `~` removes at most where nothing else is said. */
const MOST_AT_ONCE = 10_000

/** The options of `XADD` and `XTRIM` that say which entries are removed. */
export class TrimOptions {
  #strategy: Strategy | undefined
  #isApproximate = false
  #limit: number | undefined

  /** Reads the option that words begin with. Returns how many words it has; 0 if it is another one. */
  take([name = '', ...values]: readonly Bytes[]): number {
    const [value] = values
    if (value === undefined) return 0
    switch (name.toUpperCase()) {
      case 'MAXLEN':
        return 1 + this.#takeStrategy(values, (text) => byLength(demandPositive('MAXLEN', text)))
      case 'MINID':
        return 1 + this.#takeStrategy(values, (text) => byId(demandId(text)))
      case 'LIMIT':
        this.#limit = demandPositive('LIMIT', value)
        return 2
      default:
        return 0
    }
  }

  /** What is to be removed; undefined for nothing. */
  get trimming(): Trimming | undefined {
    if (this.#limit !== undefined && this.#limit > 0 && this.#strategy === undefined)
      throw new CommandError('ERR syntax error, LIMIT cannot be used without specifying a trimming strategy')
    if (this.#limit !== undefined && !this.#isApproximate)
      throw new CommandError('ERR syntax error, LIMIT cannot be used without the special ~ option')
    if (this.#strategy === undefined) return undefined
    const limit = this.#limit ?? (this.#isApproximate ? MOST_AT_ONCE : 0)
    return { isApproximate: this.#isApproximate, limit, ...this.#strategy }
  }

  /** What is to be removed, where something has to be. */
  get demanded(): Trimming {
    if (this.#strategy === undefined && (this.#limit ?? 0) === 0)
      throw new CommandError('ERR syntax error, XTRIM must be called with a trimming strategy')
    return this.trimming ?? raise(syntaxError())
  }

  #takeStrategy(values: readonly Bytes[], read: (text: Bytes) => Strategy): number {
    if (this.#strategy !== undefined)
      throw new CommandError('ERR syntax error, MAXLEN and MINID options at the same time are not compatible')
    const [first = '', second] = values
    const isMarked = second !== undefined && (first === '~' || first === '=')
    this.#isApproximate = isMarked && first === '~'
    this.#strategy = read(isMarked ? second : first)
    return isMarked ? 2 : 1
  }
}

function raise(error: Error): never {
  throw error
}

function demandPositive(option: Bytes, text: Bytes): number {
  const count = demandCount(text)
  if (count < 0) throw new CommandError(`ERR The ${option} argument must be >= 0.`)
  return count
}

function byLength(most: number): Strategy {
  return {
    isDone: (length) => length <= most,
    removesNode: ({ entries }, length) => length - entries.length >= most,
    removes: (_, length) => length > most,
  }
}

function byId(least: EntryId): Strategy {
  return {
    isDone: () => false,
    removesNode: ({ lastId }) => lastId < least,
    removes: ({ id }) => id < least,
  }
}
