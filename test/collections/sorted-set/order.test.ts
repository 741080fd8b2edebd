import { describe, expect, it } from 'vitest'
import orderLua from '../../../src/collections/sorted-set/order.lua'
import { single } from '../../support/topologies.js'

/** Counts the calls that read texts, and the bytes that these look at one by one. A search for a plain text is none of that. */
const COUNTING = `
local looked, calls, library = 0, 0, string
local string = {}
for name, read in pairs(library) do
  string[name] = function(...)
    local text, pattern, first, plain = ...
    calls = calls + 1
    if plain ~= true and (name == 'gsub' or name == 'match' or name == 'find' or name == 'gmatch') then
      looked = looked + #text - (type(first) == 'number' and first or 1) + 1
    end
    return read(...)
  end
end
`

const LOOKED = `
local form = ARGV[3]
return { compare(keyOf(ARGV[1], form), keyOf(ARGV[2], form), form), looked, calls }
`

/** Compares the elements two by two. */
const ORDERS = `
local orders = {}
for i = 1, #ARGV, 2 do
  orders[#orders + 1] = compare(keyOf(ARGV[i], 'json'), keyOf(ARGV[i + 1], 'json'), 'json')
end
return orders
`

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** How JSON may have the same text: as few escapes as there may be, all of them, and one for every other code unit that is no half of a pair. */
const writers: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => `"${text.replaceAll(/[^]/g, escaped)}"`,
  (text) => {
    const all = Array.from(text, (character, at) =>
      at % 2 === 0 && character.length === 1
        ? escaped(character).toUpperCase().replace('U', 'u')
        : JSON.stringify(character).slice(1, -1),
    )
    return `"${all.join('')}"`
  },
]

/** What stands before and after the difference. */
const AROUND = [
  '',
  'x'.repeat(40),
  '\\'.repeat(33),
  '\\'.repeat(34),
  '"a\n'.repeat(20),
  '😀'.repeat(9),
  'é'.repeat(31),
]

const PIECES = [
  '',
  'a',
  'n',
  'u',
  'u00e9',
  'é',
  '\u001b',
  '"',
  '\\',
  '\\\\',
  '\n',
  '/',
  '😀',
  '😁',
  '\ue000',
  '0',
]

/** The order that JavaScript and Java have: that of the code units. */
function orderOf(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

describe('the order of large texts', () => {
  const [server] = single.nodes
  const large = '😀é\ue000x"\n\\'.repeat(10_000)

  it.each([
    ['as they are', 'text', String],
    ['as JSON', 'json', (text: string) => JSON.stringify(text)],
  ] as const)('is found without looking at each byte, %s', async (_, form, written) => {
    const compared = async (one: string, other: string) =>
      (await server.command(
        'EVAL',
        COUNTING + orderLua + LOOKED,
        '0',
        written(one),
        written(other),
        form,
      )) as [number, number, number]
    for (const [lower, higher] of [
      ['a', 'b'],
      ['', 'b'],
      ['😀', '😁'],
      ['😀', '\ue000'],
      ['é', '😀'],
      ['\n', '\r'],
    ] as const) {
      const one = `${large}${lower}${large}`
      const other = `${large}${higher}${large}`
      expect((await compared(one, other))[0]).toBe(one < other ? -1 : 1)
      const [order, looked, calls] = await compared(other, one)
      expect(order).toBe(one < other ? 1 : -1)
      expect(looked).toBeLessThan(100)
      expect(calls).toBeLessThan(300)
    }
    expect((await compared(large, large)).slice(0, 2)).toEqual([0, 0])
  })

  it.each(AROUND)('is that of the texts, in whatever way JSON writes them, around %j', async (around) => {
    const pairs = PIECES.flatMap((one) =>
      PIECES.map((other) => [one, other].map((piece) => around + piece + around)),
    )
    const cases = pairs.flatMap(([one = '', other = '']) =>
      writers.flatMap((write) =>
        writers.map((writeOther) => ({
          written: [write(one), writeOther(other)],
          order: orderOf(one, other),
        })),
      ),
    )
    const words = cases.flatMap(({ written }) => written)
    const orders = (await server.command('EVAL', orderLua + ORDERS, '0', ...words)) as number[]
    const wrong = cases.filter(({ order }, index) => orders[index] !== order)
    expect(wrong).toEqual([])
  })
})
