import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import type { Script } from '../../../src/command/operation/script.js'
import { notifyingSource } from '../../../src/collections/local-cached-map-cache/notifying.js'
import { linkedSource } from '../../../src/collections/multimap/linked.js'
import { changingSource, readingSource } from '../../../src/collections/multimap-cache-native/native-keys.js'
import { expiringSource } from '../../../src/collections/multimap-cache/expiring.js'

const src = resolve(import.meta.dirname, '../../../src')

type AnyScript = Script<string, string, unknown>

const modules = await Promise.all(
  globSync('**/*.scripts.ts', { cwd: src }).map(
    (file) => import(join(src, file)) as Promise<Record<string, unknown>>,
  ),
)
/** Any script may be made one that remembers its answers. */
const { source: keeping } = onceOf({ source: '' })

/** Any script may be made one that changes the values of a key of a multimap. */
const linking = linkedSource('')

/** Or does so where keys end by the server itself. */
const linkingNative = changingSource('') + readingSource('')

/** Or one that finds no key of a multimap that has ended. */
const expiring = expiringSource('')

/** Or one that tells local caches what it has changed of a map cache. */
const notifying = notifyingSource('')

const scripts = modules.flatMap((module) => Object.values(module)).filter(isScript)

describe('the scripts', () => {
  it('are made of all the Lua there is', () => {
    const files = globSync('**/*.lua', { cwd: src })
    const unused = files.filter((file) => {
      const text = readFileSync(join(src, file), 'utf8').trim()
      return (
        !keeping.includes(text) &&
        !linking.includes(text) &&
        !linkingNative.includes(text) &&
        !expiring.includes(text) &&
        !notifying.includes(text) &&
        !scripts.some(({ source }) => source.includes(text))
      )
    })
    expect(scripts.length).toBeGreaterThan(0)
    expect(unused).toEqual([])
  })

  it('have a name each', () => {
    const names = scripts.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(scripts.map((script) => [script.name, script] as const))(
    '%s binds each name to its place',
    (_, script) => {
      const source = flatten(script.source)
      for (const line of header(script)) expect(source).toContain(line)
    },
  )

  it.each(scripts.map((script) => [script.name, script] as const))(
    '%s knows no places but by name',
    (_, script) => {
      const rest = header(script).reduce((source, line) => source.replace(line, ''), flatten(script.source))
      expect(rest).not.toMatch(/KEYS|ARGV/)
    },
  )

  it.each(scripts.map((script) => [script.name, script] as const))(
    '%s says in its first line what it does',
    (_, script) => {
      const own = script.source.slice(script.source.lastIndexOf('-- ', script.source.indexOf('KEYS')))
      expect(own).toMatch(/^-- \S/)
      expect(basename(script.name)).toMatch(/^[a-z-]+$/)
    },
  )
})

/** Such a module may export what its scripts have in common as well. */
function isScript(value: unknown): value is AnyScript {
  return typeof value === 'object' && value !== null && 'source' in value
}

/** The lines that a script has to begin with, which follow from its declaration. */
function header({ keys, args, remembers }: AnyScript): string[] {
  return [binding(keys, 'KEYS'), binding(remembers ? [...args, 'rememberMs'] : args, 'ARGV')].filter(
    (line) => line !== '',
  )
}

function binding(names: readonly string[], table: 'KEYS' | 'ARGV'): string {
  if (names.length === 0) return ''
  const bare = names.map((name) => name.replace('...', ''))
  if (names.length === 1 && names[0]?.startsWith('...')) return `local ${bare.join()} = ${table}`
  const places = names.map((name, index) =>
    name.startsWith('...') ? `restOf(${table}, ${index + 1})` : `${table}[${index + 1}]`,
  )
  return `local ${bare.join(', ')} = ${places.join(', ')}`
}

function flatten(source: string): string {
  return source.replace(/\s+/g, ' ')
}
