import { lockIdentity, type LockIdentity, type LockKey } from '../shared/hold/lock-names.js'

const PREFIX = 'values:'

/** Values of a group that are locked as one. */
export class ValueSet {
  readonly group: LockKey
  /** Their names, with a space between them. */
  readonly names: string
  /** The same one by one, in that order. There may be thousands, each of which is asked for. */
  readonly #values: ReadonlySet<string>

  constructor(group: LockKey, names: string) {
    this.group = group
    this.names = names
    this.#values = new Set(names.split(' '))
  }

  /** The set that an identity stands for. */
  static of(identity: LockIdentity): ValueSet {
    const end = identity.lastIndexOf('\n')
    return new ValueSet(identity.slice(PREFIX.length, end) as LockKey, identity.slice(end + 1))
  }

  /** What distinguishes it from other sets, and from other locks. No name of a value has a line break. */
  get identity(): LockIdentity {
    return lockIdentity('values', `${this.group}\n${this.names}`)
  }

  has(value: string): boolean {
    return this.#values.has(value)
  }

  overlaps({ group, names }: ValueSet): boolean {
    return this.group === group && names.split(' ').some((value) => this.has(value))
  }

  /** A number for each value, in the order of their names. */
  map(numberOf: (value: string) => number): string {
    return Array.from(this.#values, (value) => String(numberOf(value))).join(' ')
  }
}
