import { expect, it } from 'vitest'
import { inspectShort } from '../../../src/util/inspect-short.js'

const circle: { self?: unknown } = {}
circle.self = circle

it.each([
  ['text', "'text'"],
  ['', "''"],
  [7n, '7n'],
  [undefined, 'undefined'],
  [Symbol('s'), 'Symbol(s)'],
  [circle, '<ref *1> { self: [Circular *1] }'],
  [{ a: { b: 1 } }, '{ a: [Object] }'],
  ['x'.repeat(1000), `'${'x'.repeat(80)}'... 920 more characters`],
])('says %o in one line', (value, line) => {
  expect(inspectShort(value)).toBe(line)
})
