import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandOf } from '../fixtures/toy-server.js'
import { CommandFramer, wordsOf } from './frames.js'

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
const words = fc.array(fc.string({ unit: byte }), { minLength: 1, maxLength: 5 })

describe('a framer of commands', () => {
  it('returns whole commands, wherever the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), fc.array(fc.nat(200)), (commands, cuts) => {
        const bytes = commands.map((each) => commandOf(...each)).join('')
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ]
        const framer = new CommandFramer()
        const framed = places.flatMap((place, index) =>
          framer.push(bytes.slice(places[index - 1] ?? 0, place)),
        )
        expect(framed.map(wordsOf)).toEqual(commands)
        expect(framed.join('')).toBe(bytes)
      }),
    )
  })

  it('takes lines that were typed by hand', () => {
    expect(new CommandFramer().push('PING\r\nECHO x\r\n').map(wordsOf)).toEqual([['PING'], ['ECHO', 'x']])
  })
})
