import { textOf } from '../../codec/bytes.js'
import type { Connection, Key } from '../../connection/connection.js'
import { hashedPart } from '../../util/hash/hashed-part.js'
import { IdempotencyIds } from './idempotency-ids.js'

/** Names the keys under which the replies to requests are kept: each in the slot of a key of its request. */
export class OnceKeys {
  readonly #slotOf: Connection['slotOf']
  readonly #ids = new IdempotencyIds()
  readonly #tags = new Map<number, string>()

  constructor(slotOf: Connection['slotOf']) {
    this.#slotOf = slotOf
  }

  /** @param key - undefined for a request without keys, which runs in any slot */
  next(key: Key | undefined): string {
    const id = this.#ids.next()
    const tag = key === undefined ? id : (tagOf(key) ?? this.#anyTagOf(key))
    return `redisson__once:{${tag}}:${id}`
  }

  /** Some tag of the slot of a key that is none itself. Such keys are rare, and the slots few. */
  #anyTagOf(key: Key): string {
    const slot = this.#slotOf(key)
    let tag = this.#tags.get(slot)
    if (tag === undefined) {
      let number = 0
      while (this.#slotOf(String(number)) !== slot) number += 1
      tag = String(number)
      this.#tags.set(slot, tag)
    }
    return tag
  }
}

/** What decides on the slot of a key; undefined if that cannot stand in braces. */
function tagOf(bytes: Key): string | undefined {
  const key = typeof bytes === 'string' ? bytes : textOf(bytes)
  const tag = key && hashedPart(key)
  return tag === '' || tag?.includes('}') ? undefined : tag
}
