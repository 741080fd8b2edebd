import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

/** Rooms from the ground up. A room may import from itself and from any floor below. */
const floors = [
  ['errors', 'util'],
  ['api'],
  ['config', 'ownership'],
  ['connection'],
  ['command', 'pubsub'],
  ['renewal', 'eviction'],
  ['core'],
  ['locks', 'synchronizers', 'counters', 'objects', 'topics', 'probabilistic'],
  ['collections'],
  ['queues'],
  ['services'],
  ['redisson.ts'],
  ['index.ts'],
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && file !== 'lua.d.ts',
)

describe('the architecture', () => {
  it('has a floor for every room', () => {
    const unknown = files.map(roomOf).filter((room) => floorOf(room) < 0)
    expect(unknown).toEqual([])
  })

  it('imports only from the same room or from a floor below', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && floorOf(roomOf(target)) >= floorOf(roomOf(file)),
        )
        .map((target) => `${file} imports ${target}`),
    )
    expect(upward).toEqual([])
  })

  it('has no cycles', () => {
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const target of importsOf(file)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('names ioredis only in the connection room', () => {
    const elsewhere = files.filter(
      (file) => roomOf(file) !== 'connection' && modulesOf(file).includes('ioredis'),
    )
    expect(elsewhere).toEqual([])
  })

  it('has no code in api', () => {
    const { compilerOptions } = ts.parseConfigFileTextToJson(
      '',
      '{ "compilerOptions": { "target": "es2023", "module": "esnext" } }',
    ).config as { compilerOptions: ts.CompilerOptions }
    const code = files
      .filter((file) => roomOf(file) === 'api')
      .filter((file) => {
        const { outputText } = ts.transpileModule(read(file), {
          compilerOptions: { ...compilerOptions, removeComments: true },
        })
        return outputText.replace(/export \{\s*\};?/, '').trim() !== ''
      })
    expect(code).toEqual([])
  })
})

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8')
}

function modulesOf(file: string): string[] {
  return ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName)
}

function importsOf(file: string): string[] {
  return modulesOf(file)
    .filter((name) => name.startsWith('.') && name.endsWith('.js'))
    .map((name) => relative(src, resolve(src, dirname(file), name)).replace(/\.js$/, '.ts'))
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

function floorOf(room: string): number {
  return floors.findIndex((floor) => floor.includes(room))
}
