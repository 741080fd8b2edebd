import { globSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/command/operation/operation.js'
import * as keys from '../../../src/services/keys/keys.commands.js'

const src = resolve(import.meta.dirname, '../../../src')

type AnyOperation = Operation<string, string, unknown>

/** Rooms whose objects a batch hands out too. What services and topics send is named on its own. */
const roomsOfData = globSync('*/*.objects.ts', { cwd: src })
  .map((file) => dirname(file))
  .filter((room) => room !== 'services' && room !== 'topics')

/** What the program gets the results of. */
const modules = await Promise.all(
  globSync(`{core,services/keys,${roomsOfData.join()}}/{*/,}*.{commands,scripts}.ts`, {
    cwd: src,
  }).map((file) => import(join(src, file)) as Promise<Record<string, unknown>>),
)

const operations = modules.flatMap((module) => Object.values(module)).filter(isOperation)

/** Those whose number says what is there, however many copies have run, or is not read. */
const STATES = new Set([
  'BITFIELD',
  'GEOSEARCHSTORE',
  'SDIFFSTORE',
  'SETRANGE',
  'SINTERSTORE',
  'SUNIONSTORE',
  'TOUCH',
  'UNLINK', // by an adder; that of the program is counting, see below
  'object/touch',
  'binary-stream/truncate',
  'bit-set/and',
  'bit-set/and-or',
  'bit-set/diff',
  'bit-set/or',
  'bit-set/set-range',
  'buckets/set',
  'delayed-queue/touch',
  'list-multimap/fast-replace',
  'local-cached-map/missed',
  'local-cached-map/publish',
  'local-cached-map/put-all',
  'map/put-all',
  'multimap/touch',
  'multimap-cache/touch',
  'scored-sorted-set/add-and-get-rank',
  'set-cache/store',
  'set-multimap/fast-replace',
  'snowflake/release',
  'snowflake/touch',
  'transfer-queue/wait',
])

describe('the operations', () => {
  it('are not sent again where they return how many they have changed', () => {
    const repeated = operations.filter(({ repeat }) => repeat === 'idempotent')
    expect(repeated.length).toBeGreaterThan(20)
    const counting = repeated.filter((operation) => returnsNumber(operation)).map(({ name }) => name)
    expect(counting.filter((name) => !STATES.has(name))).toEqual([])
    expect(keys.unlink.repeat).toBe('counting')
  })
})

function returnsNumber({ reply }: AnyOperation): boolean {
  try {
    return typeof reply(7) === 'number'
  } catch {
    return false
  }
}

/** Such a module may export what its operations have in common as well. */
function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'repeat' in value && 'name' in value
}
