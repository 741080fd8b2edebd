import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Table } from './run/table.js'
import type { Value } from './run/values.js'

const keys = fc.oneof(
  fc.integer({ min: -2, max: 40 }),
  fc.constantFrom('a', 'b', 'c', 'long key', 1.5, 1e300, true, false),
)
const values = fc.option(fc.integer(), { nil: undefined })

/** What `next` finds, from the first key to the last. */
function entriesOf(table: Table): Map<Value, Value> {
  const entries = new Map<Value, Value>()
  for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key)) {
    entries.set(key, table.get(key))
  }
  return entries
}

describe('a table', () => {
  it('has what was set last at each key, and no other keys', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, values), { maxLength: 100 }), (changes) => {
        const table = new Table()
        const expected = new Map<Value, Value>()
        for (const [key, value] of changes) {
          table.set(key, value)
          if (value === undefined) expected.delete(key)
          else expected.set(key, value)
        }
        expect(entriesOf(table)).toEqual(expected)
        const length = table.length()
        expect(table.get(length + 1)).toBeUndefined()
        expect(length === 0 || table.get(length) !== undefined).toBe(true)
      }),
    )
  })

  it('tells apart a last key and one that is not there', () => {
    const table = new Table()
    table.set('a', 1)
    expect([table.keyAfter(undefined), table.keyAfter('a'), table.keyAfter('b')]).toEqual([
      'a',
      undefined,
      null,
    ])
  })

  it('loses no key while those that were visited are removed', () => {
    const table = new Table()
    for (let key = 1; key <= 50; key++) table.set(`key ${key}`, key)
    let visited = 0
    for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key)) {
      table.set(key, undefined)
      visited += 1
    }
    expect(visited).toBe(50)
  })
})
