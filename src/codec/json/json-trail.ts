import { cannotEncode } from '../codec-failure.js'

/** How many lists and objects Jackson reads inside of each other. */
export const MAX_DEPTH = 1000

/** Where in a value the part stands that is being written as JSON, or in another form. After an error it is of no more use. */
export class JsonTrail {
  readonly #codec: string
  readonly #expected: string
  /** The names and indexes that lead there. */
  readonly #path: (string | number)[] = []
  /** The objects around it. */
  readonly #around = new Set<object>()
  #depth = 0

  constructor(codec: string, expected = 'what JSON can say') {
    this.#codec = codec
    this.#expected = expected
  }

  /** The name or index of the part, as `toJSON()` gets it. */
  get name(): string {
    return String(this.#path.at(-1) ?? '')
  }

  /**
   * Goes into an object.
   *
   * @param levels - how many levels of lists and objects its text has, without those inside
   * @throws `CodecError` if the object is in itself, or too deep
   */
  enter(value: object, levels: number): void {
    if (this.#around.has(value)) this.refuse('an object that it is in')
    this.#depth += levels
    if (this.#depth > MAX_DEPTH) this.refuse(`more than ${MAX_DEPTH} levels of lists and objects`)
    this.#around.add(value)
  }

  leave(value: object, levels: number): void {
    this.#depth -= levels
    this.#around.delete(value)
  }

  /** Goes to a member of the object, or to an item of the list. */
  step(to: string | number): void {
    this.#path.push(to)
  }

  stepBack(): void {
    this.#path.pop()
  }

  /** Throws the error of a value that cannot be said, with its place. */
  refuse(kind: string): never {
    throw cannotEncode(this.#codec, this.#expected, kind + this.#place())
  }

  #place(): string {
    if (this.#path.length === 0) return ''
    const steps = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    return ` at value${steps.length > 200 ? `${steps.slice(0, 200)}…` : steps}`
  }
}
