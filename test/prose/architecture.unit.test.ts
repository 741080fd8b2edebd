import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const src = join(root, 'src')

/** Rooms from the ground up. A room may import from itself and from any floor below. A folder of a room may have a floor of its own. */
const floors = [
  ['util/abort', 'util/collections', 'util/hash', 'util/thrown', 'util/time'],
  ['errors', 'util'],
  ['api'],
  ['codec'],
  ['config', 'ownership'],
  ['connection/connection.ts', 'connection/node'],
  ['connection/login'],
  ['connection/requests'],
  ['connection/messages'],
  ['connection/master'],
  ['connection/cluster'],
  ['connection'],
  ['command/operation', 'pubsub'],
  ['command/once'],
  ['command/requests'],
  ['command/batch'],
  ['command'],
  ['renewal', 'eviction'],
  ['core/holds'],
  ['core/context'],
  ['core/arguments'],
  ['core'],
  ['waiting'],
  ['locks/shared/hold'],
  ['locks/shared/engine'],
  ['locks/shared/queue'],
  ['locks', 'synchronizers', 'topics'],
  ['counters', 'objects', 'probabilistic'],
  ['collections'],
  ['queues', 'streams'],
  ['caches', 'services'],
  ['client'],
  ['index.ts'],
]

const rooms = new Set(floors.flat())

const files = filesOf(src).filter((file) => file !== 'lua.d.ts')

/** What the folder of an object may import besides its own files and the `shared` folder of its room: the objects that it is built on. */
const bases: Readonly<Record<string, readonly string[]>> = {
  'codec/jackson': ['codec/json'],
  'collections/geo': ['collections/scored-sorted-set'],
  'collections/lex-sorted-set': ['collections/scored-sorted-set'],
  'collections/sorted-set': ['collections/scored-sorted-set'],
  'collections/local-cached-map': ['collections/map'],
  'collections/local-cached-map-cache': [
    'collections/local-cached-map',
    'collections/map',
    'collections/map-cache',
  ],
  'collections/map-cache': ['collections/map'],
  'collections/map-cache-native': ['collections/map'],
  'collections/maps': ['collections/map'],
  'collections/multimap-cache': ['collections/multimap'],
  'collections/multimap-cache-native': ['collections/map-cache-native', 'collections/multimap'],
  'collections/set-cache': ['collections/set'],
  'collections/multimap': ['collections/list', 'collections/map', 'collections/set'],
  'objects/binary-stream': ['objects/bucket'],
  'locks/fair': ['locks/reentrant'],
  'locks/fenced': ['locks/reentrant'],
  'locks/read-write': ['locks/reentrant'],
  'locks/spin': ['locks/reentrant'],
  'queues/blocking-deque': ['queues/blocking-queue', 'queues/deque', 'queues/queue'],
  'queues/blocking-queue': ['queues/delayed-queue', 'queues/queue'],
  'queues/bounded-blocking-queue': ['queues/blocking-queue', 'queues/queue'],
  'queues/delayed-queue': ['queues/queue'],
  'queues/deque': ['queues/queue'],
  'queues/priority-blocking-deque': [
    'queues/blocking-queue',
    'queues/priority-blocking-queue',
    'queues/priority-deque',
  ],
  'queues/priority-blocking-queue': ['queues/blocking-queue', 'queues/priority-queue'],
  'queues/priority-deque': ['queues/priority-queue'],
  'queues/priority-queue': ['queues/blocking-queue', 'queues/queue'],
  'queues/ring-buffer': ['queues/queue'],
  'queues/transfer-queue': ['queues/blocking-queue'],
  'synchronizers/permit-expirable-semaphore': ['synchronizers/semaphore'],
  'topics/sharded-topic': ['topics/topic'],
}

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

  it('has no object that imports a neighbour', () => {
    const neighbours = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => areNeighbours(folderOf(file), folderOf(target)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(neighbours).toEqual([])
  })

  it('has no folder of more than 20 files', () => {
    const folders = Object.groupBy(
      readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isFile),
      dirname,
    )
    const wide = Object.entries(folders).filter(([, inside = []]) => inside.length > 20)
    expect(wide.map(([folder]) => folder)).toEqual([])
  })

  it('makes connections to a server in one place, which demands the handshake', () => {
    const makes = /\bnew Redis\(|\.duplicate\((?!\[\])/
    expect(filesOf(src).filter((file) => makes.test(read(file)))).toEqual(['connection/login/handshake.ts'])
  })

  it('names ioredis only in the connection room', () => {
    const elsewhere = files.filter(
      (file) => !file.startsWith('connection/') && modulesOf(file).includes('ioredis'),
    )
    expect(elsewhere).toEqual([])
  })

  it('has no code in the interfaces', () => {
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

describe.each(['src', 'bench', 'chaos'])('%s', (folder) => {
  it('has no cycles', () => {
    const within = join(root, folder)
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const target of importsOf(file, within)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of filesOf(within)) visit(file, [])
    expect(cycles).toEqual([])
  })
})

/** The sources in a folder, by their path in it. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('node_modules'),
  )
}

function isFile(path: string): boolean {
  return /\.(?:ts|lua)$/.test(path)
}

function read(file: string, folder = src): string {
  return readFileSync(join(folder, file), 'utf8')
}

function modulesOf(file: string, folder = src): string[] {
  return ts.preProcessFile(read(file, folder)).importedFiles.map(({ fileName }) => fileName)
}

function importsOf(file: string, folder = src): string[] {
  return modulesOf(file, folder)
    .filter((name) => name.startsWith('.') && name.endsWith('.js'))
    .map((name) => relative(folder, resolve(folder, dirname(file), name)).replace(/\.js$/, '.ts'))
}

/** Interfaces and errors are below all rooms, whatever folder has them. An interface is a type, and has no code. */
function roomOf(file: string): string {
  if (file.endsWith('.api.ts')) return 'api'
  if (file.endsWith('.errors.ts')) return 'errors'
  const [room = file] = file.split('/')
  return [file, dirname(file)].find((place) => rooms.has(place)) ?? room
}

function floorOf(room: string): number {
  return floors.findIndex((floor) => floor.includes(room))
}

/** The folder of an object within its room; undefined for a file of the room itself. */
function folderOf(file: string): string | undefined {
  const [room, folder, ...rest] = file.split('/')
  return roomOf(file) !== 'api' && rest.length > 0 ? `${String(room)}/${String(folder)}` : undefined
}

function areNeighbours(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || from === to || roomOf(from) !== roomOf(to)) return false
  return !to.endsWith('/shared') && bases[from]?.includes(to) !== true
}
