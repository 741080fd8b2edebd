import { globSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Script } from '../src/command/script.js'

const src = resolve(import.meta.dirname, '../src')

type AnyScript = Script<string, string, unknown>

const modules = await Promise.all(
  globSync('**/*.scripts.ts', { cwd: src }).map(
    (file) => import(join(src, file)) as Promise<Record<string, AnyScript>>,
  ),
)
const scripts = modules.flatMap((module) => Object.values(module))

describe('the scripts', () => {
  it('are all found here', () => {
    const files = globSync('**/lua/**/*.lua', { cwd: src })
    const fragments = files.filter((file) => !scripts.some(({ name }) => file.endsWith(`lua/${name}.lua`)))
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.length + fragments.length).toBe(files.length)
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

/** The lines that a script has to begin with, which follow from its declaration. */
function header({ keys, args, counts }: AnyScript): string[] {
  return [binding(keys, 'KEYS'), binding(counts ? [...args, 'rememberMs'] : args, 'ARGV')].filter(
    (line) => line !== '',
  )
}

function binding(names: readonly string[], table: 'KEYS' | 'ARGV'): string {
  if (names.length === 0) return ''
  const bare = names.map((name) => name.replace('...', ''))
  if (names.length === 1 && names[0]?.startsWith('...')) return `local ${bare.join()} = ${table}`
  const places = names.map((name, index) =>
    name.startsWith('...') ? `{ unpack(${table}, ${index + 1}) }` : `${table}[${index + 1}]`,
  )
  return `local ${bare.join(', ')} = ${places.join(', ')}`
}

function flatten(source: string): string {
  return source.replace(/\s+/g, ' ')
}
