import type { NameMapper } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { inspectShort } from '../util/inspect-short.js'
import { isRecord } from './readers.js'

/** Reads a `nameMapper`: a function, which maps one way, or an object that maps both ways. */
export function readNameMapper(value: unknown, key: string): NameMapper {
  if (typeof value === 'function') return { map: value as NameMapper['map'], unmap: unchanged }
  if (isNameMapper(value)) return value
  throw new ConfigError(key, 'a function, or an object with the functions `map` and `unmap`', value)
}

/** The mapper of a client that has none. */
export const direct: NameMapper = Object.freeze({ map: unchanged, unmap: unchanged })

/**
 * The name that the program uses, of one in Redis.
 *
 * @throws TypeError if the mapper returns no text
 */
export function unmappedName(mapper: NameMapper, key: string): string {
  const name: unknown = mapper.unmap(key)
  if (typeof name === 'string') return name
  throw new TypeError(`Expected \`unmap\` of \`nameMapper\` to return a string, got ${inspectShort(name)}`)
}

function isNameMapper(value: unknown): value is NameMapper & Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value['map'] === 'function' && typeof value['unmap'] === 'function'
}

function unchanged(name: string): string {
  return name
}
