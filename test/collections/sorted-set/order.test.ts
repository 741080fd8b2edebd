import { describe, expect, it } from 'vitest'
import orderLua from '../../../src/collections/sorted-set/order.lua'
import { single } from '../../support/topologies.js'

/** Counts the bytes that are looked at one by one. A search for a plain text is none of that. */
const COUNTING = `
local looked, library = 0, string
local string = setmetatable({}, { __index = library })
for _, name in ipairs({ 'gsub', 'match', 'find', 'gmatch' }) do
  string[name] = function(text, pattern, first, plain)
    if plain ~= true then
      looked = looked + #text - (type(first) == 'number' and first or 1) + 1
    end
    return library[name](text, pattern, first, plain)
  end
end
`

const LOOKED = `
return { compare(keyOf(ARGV[1], ARGV[3]), keyOf(ARGV[2], ARGV[3])), looked }
`

describe('the order of large texts', () => {
  const [server] = single.nodes
  const large = '😀é\ue000x'.repeat(10_000)

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
      )) as [number, number]
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
      const [order, looked] = await compared(other, one)
      expect(order).toBe(one < other ? 1 : -1)
      expect(looked).toBeLessThan(100)
    }
    expect(await compared(large, large)).toEqual([0, 0])
  })
})
