import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { linkedSource } from '../../../../../src/collections/multimap/linked.js'
import { onceOf } from '../../../../../src/command/once/once-evaluation.js'
import type { Parameter } from '../../../../../src/command/operation/operation.js'
import type { Script } from '../../../../../src/command/operation/script.js'
import type { Bytes } from '../../reply.js'

const src = resolve(import.meta.dirname, '../../../../../src')

/** What is needed of any script. */
export type AnyScript = Pick<
  Script<string, string, unknown>,
  'name' | 'source' | 'remembers' | 'keyParameters' | 'argParameters'
>

/** One run of a script of this project's library. */
export interface Run {
  readonly name: string
  readonly keys: readonly Bytes[]
  readonly argv: readonly Bytes[]
}

/** All scripts of the library, in the order of their names. */
export async function libraryScripts(): Promise<AnyScript[]> {
  const files = globSync('**/*.scripts.ts', { cwd: src })
  const modules = await Promise.all(files.map((file) => import(join(src, file)) as Promise<object>))
  const scripts = modules.flatMap((module) => Object.values(module).filter(isScript))
  return [...scripts, onlyOnce, linkedAdd].sort((one, another) => (one.name < another.name ? -1 : 1))
}

/** Any script may be made one that keeps its reply. */
const onlyOnce: AnyScript = {
  name: 'once',
  source: onceOf({
    source: `return { redis.call('hgetall', KEYS[1]), redis.call('incr', KEYS[2]), ARGV[1] }`,
  }).source,
  remembers: true,
  keyParameters: ['hash', 'counter', 'request'].map((name) => ({ name, takes: 'value' })),
  argParameters: [{ name: 'text', takes: 'value' }],
}

/** The bytes of a script. */
export function bytesOf({ source }: AnyScript): Bytes {
  return Buffer.from(source).toString('latin1')
}

/** Any script may be made one that changes the values of a key of a multimap. */
const linkedAdd: AnyScript = {
  name: 'linked',
  source: linkedSource(`return redis.call(ARGV[1] == '1' and 'spop' or 'sadd', KEYS[1], ARGV[1])`),
  remembers: false,
  keyParameters: ['values', 'multimap'].map((name) => ({ name, takes: 'value' })),
  argParameters: ['value', 'field', 'hash'].map((name) => ({ name, takes: 'value' })),
}

function isScript(value: unknown): value is AnyScript {
  return typeof value === 'object' && value !== null && 'keyParameters' in value && 'source' in value
}

/** A run of a script with values that its parameters may have. The scripts of one kind of object share their keys. */
export function anyRun({ name, remembers, keyParameters, argParameters }: AnyScript): fc.Arbitrary<Run> {
  const [family = ''] = name.split('/')
  const all = remembers ? [...argParameters, REMEMBER_MS] : argParameters
  return fc
    .tuple(valuesOf(keyParameters, keyOf(family)), valuesOf(all, argumentOf))
    .map(([keys, argv]) => ({ name, keys, argv }))
}

/** What a script that remembers its replies takes besides, as the last argument. */
const REMEMBER_MS: Parameter = { name: 'rememberMs', takes: 'value' }

/** A list has two values, or as many for each of two. */
const VALUES_FOR_EACH: Readonly<Record<string, number>> = { places: 4, locksAndMarkers: 2 }

function valuesOf(
  parameters: readonly Parameter[],
  valueOf: (name: string) => fc.Arbitrary<Bytes>,
): fc.Arbitrary<Bytes[]> {
  const values = parameters.flatMap(({ name, takes }) =>
    Array.from({ length: takes === 'list' ? 2 * (VALUES_FOR_EACH[name] ?? 1) : 1 }, () => valueOf(name)),
  )
  return fc.tuple(...values)
}

function keyOf(family: string): (name: string) => fc.Arbitrary<Bytes> {
  return (name) => {
    const numbers = name === 'request' ? ['1', '2', '3', '4'] : ['1', '1', '1', '2']
    return fc.constantFrom(...numbers).map((number) => `{x}${family}:${name}:${number}`)
  }
}

const anyArgument = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('0', '1', '2', '3') },
  { weight: 1, arbitrary: fc.constantFrom('', '-1', '10', '1000', '1.5', 'a', '5 2 7', '<', '==', '*') },
)

function argumentOf(name: string): fc.Arbitrary<Bytes> {
  if (name === 'publish') return fc.constantFrom('publish', 'publish', 'spublish', '')
  if (/Ms$|^time$/.test(name)) return fc.constantFrom('0', '1000', '60000', '100000')
  if (/owner|predecessor/i.test(name)) return fc.constantFrom('client:1', 'client:1', 'client:2')
  if (/command/.test(name)) return fc.constantFrom('incrby', 'pexpire', 'get', 'set', '')
  return anyArgument
}
