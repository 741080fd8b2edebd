import { randomBytes } from 'node:crypto'
import { inspectShort } from '../../util/inspect-short.js'

/** The ids of permits that are acquired together. */
export type Ids = readonly [string, ...string[]]

/** Makes ids of new permits, as the program sees them: 16 bytes each in hexadecimal digits. */
export function newIds(count: number): Ids {
  return [newId(), ...Array.from({ length: count - 1 }, newId)]
}

function newId(): string {
  return randomBytes(16).toString('hex')
}

/** Reads the id of a permit, or a list of some; each is there once. */
export function checkedIds(ids: string | readonly string[]): readonly string[] {
  const list: unknown = typeof ids === 'string' ? [ids] : ids
  if (!Array.isArray(list) || list.length === 0) {
    throw new TypeError(`Expected the id of a permit, or a list of some, got ${inspectShort(ids)}`)
  }
  return [...new Set(Array.from(list, checkedId))] // which looks at holes as well
}

export function checkedId(id: unknown): string {
  if (typeof id === 'string' && /^[0-9a-f]{32}$/i.test(id)) return id.toLowerCase()
  throw new TypeError(`Expected the id of a permit to be 32 hexadecimal digits, got ${inspectShort(id)}`)
}

/** Ids as they are in Redis, one after the other. */
export function bytesOf(ids: readonly string[]): Buffer {
  return Buffer.from(ids.join(''), 'hex')
}
