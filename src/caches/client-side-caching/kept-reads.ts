import type { RunOptions } from '../../command/operation/command-executor.js'
import { keysOf, wordsOf } from '../../command/operation/command.js'
import type { Call, Operation } from '../../command/operation/operation.js'
import { argumentsOf, isScript, type Runnable } from '../../command/operation/script.js'
import { identityOf } from '../../collections/shared/identity-of.js'

/**
 * The commands and scripts whose replies depend on nothing but their arguments and the value of their key. Not among them are those that return
 * pages, random elements or times, and those that wait.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['GET', 'STRLEN'],
  ...['HGET', 'HMGET', 'HEXISTS', 'HLEN', 'HSTRLEN', 'map/read-all-entries', 'map/read-all-parts'],
  ...['SISMEMBER', 'SMISMEMBER', 'SCARD', 'set/read-all'],
  ...['LINDEX', 'LRANGE', 'LLEN', 'LPOS', 'list/get-all', 'list/contains-all'],
  ...['ZSCORE', 'ZMSCORE', 'ZRANK', 'ZREVRANK', 'ZCARD', 'ZCOUNT', 'ZRANGE'],
  ...['scored-sorted-set/read-all', 'scored-sorted-set/rev-ranks', 'scored-sorted-set/rank-entry'],
  ...['GEODIST', 'GEOHASH', 'GEOPOS', 'GEOSEARCH'],
  ...['XLEN', 'XRANGE', 'XREVRANGE'],
  'object/exists',
])

/** A request whose reply may be kept. */
export interface KeptRead {
  /** The only key that it depends on. */
  readonly key: string
  /** All that is sent, as a text that no other request has. */
  readonly id: string
}

/** Whether the reply of an operation may be kept. */
export function isKept({
  name,
  repeat,
}: Pick<Operation<string, string, unknown>, 'name' | 'repeat'>): boolean {
  return repeat === 'safe' && KEPT.has(name)
}

/** Returns what is kept of a call, or undefined if nothing is: what a change depends on is read from Redis, and so is what has other keys. */
export function keptReadOf<K extends string, A extends string>(
  operation: Runnable<K, A, unknown>,
  call: Call<K, A>,
  { from, dependsOn }: RunOptions,
): KeptRead | undefined {
  if (from !== 'anyNode' || dependsOn !== undefined || !isKept(operation)) return undefined
  const [key, ...others] = keysOf(operation, call)
  if (typeof key !== 'string' || others.length > 0) return undefined
  return { key, id: idOf(operation, call) }
}

function idOf<K extends string, A extends string>(
  operation: Runnable<K, A, unknown>,
  call: Call<K, A>,
): string {
  const { name, args } = isScript(operation)
    ? { name: operation.name, args: argumentsOf('', operation, call, { publish: '', attempt: 1 }) }
    : wordsOf(operation, call)
  return [name, ...args]
    .map(identityOf)
    .map((word) => `${String(word.length)}:${word}`)
    .join('')
}
