import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'

const key = readFileSync(new URL('../../support/certificates/server.key', import.meta.url), 'utf8')

/** Secrets of a client, as they can be found again wherever they have come to. */
export const canaries = {
  username: 'canary-user',
  password: 'canary-password',
  sentinelUsername: 'canary-sentinel-user',
  sentinelPassword: 'canary-sentinel-password',
  passphrase: 'canary-passphrase',
  tlsKey: key,
} as const

/** What gives a secret away: a line in the middle is enough of a key. */
const traces = Object.values(canaries).map((secret) => secret.split('\n')[1] ?? secret)

/** Where a value gives a secret of the client away, whichever way it is looked at. */
export function leaksOf(value: unknown): string[] {
  return leaksOfAny(traces, value)
}

/** The same of any texts. */
export function leaksOfAny(secrets: readonly string[], value: unknown): string[] {
  return [...views(value)].flatMap(([view, text]) =>
    secrets.filter((trace) => text.includes(trace)).map((trace) => `${view} has ${trace}`),
  )
}

function* views(value: unknown): Generator<readonly [view: string, text: string]> {
  const everything = { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null }
  yield ['console.log()', inspect(value)]
  yield ['inspect()', inspect(value, everything)]
  yield ['inspect() without custom views', inspect(value, { ...everything, customInspect: false })]
  yield ['JSON.stringify()', JSON.stringify([value])]
  yield ['String()', String(value)]
  yield* reachable(value, 'value', new Set())
}

/** Every text that can be read from a value: its own properties, also hidden ones, and what its accessors return. */
function* reachable(value: unknown, path: string, seen: Set<unknown>): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value]
  if (!isObject(value) || seen.has(value)) return
  seen.add(value)
  if (value instanceof Uint8Array) {
    yield [path, Buffer.from(value).toString('latin1')]
    return
  }
  for (const name of namesIn(value)) yield* reachable(read(value, name), `${path}.${String(name)}`, seen)
  if (value instanceof Map || value instanceof Set) {
    for (const entry of value) yield* reachable(entry, `${path}[…]`, seen)
  }
}

/** Some accessors of functions may not be read. */
function read(value: object, name: string | symbol): unknown {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Own properties, and the accessors of its classes. */
function namesIn(value: object): (string | symbol)[] {
  const names = Reflect.ownKeys(value)
  let prototype = Object.getPrototypeOf(value) as object | null
  for (
    ;
    prototype !== null && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    for (const name of Reflect.ownKeys(prototype))
      if (Reflect.getOwnPropertyDescriptor(prototype, name)?.get !== undefined && name !== '__proto__')
        names.push(name)
  }
  return names
}
