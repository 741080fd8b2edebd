import { expect, it } from 'vitest'
import { inspectShort, inspectWord } from '../../../src/util/inspect-short.js'

const circle: { self?: unknown } = {}
circle.self = circle

it.each([
  ['hunter2', 'a string of 7 characters'],
  ['x', 'a string of 1 character'],
  ['', 'an empty string'],
  [7n, '7n'],
  [undefined, 'undefined'],
  [Symbol('s'), 'Symbol(s)'],
  [circle, '{ self: [Object] }'],
  [{ a: { b: 1 }, c: 2 }, '{ a: [Object], c: 2 }'],
  [[true, null, [1], {}, 5], '[ true, null, [Array], ... 2 more items ]'],
])('says %o in one line', (value, line) => {
  expect(inspectShort(value)).toBe(line)
})

it.each([
  ['LockLost', "'LockLost'"],
  ['x'.repeat(1000), `'${'x'.repeat(80)}'... 920 more characters`],
  [['AUTH', 'secret'], "[ '…', '…' ]"],
  [7, '7'],
])('says %o in one line, as the word that it is', (value, line) => {
  expect(inspectWord(value)).toBe(line)
})

it.each([
  [{ host: 'localhost', password: 'secret' }, "{ host: '…', password: '…' }"],
  [['AUTH', 'secret'], "[ '…', '…' ]"],
  [{ password: Buffer.from('secret') }, "{ password: '…' }"],
  [{ cause: new Error('secret') }, "{ cause: '…' }"],
  [new URL('redis://user:secret@host'), '[URL]'],
  [new Map([['password', 'secret']]), '[Map]'],
  [new Error('secret'), '[Error]'],
  [Buffer.from('secret'), '[Uint8Array]'],
  [[...Buffer.from('secret')], "[ '…', '…', '…', ... 3 more items ]"],
])('leaves out texts and bytes within %o', (value, line) => {
  expect(inspectShort(value)).toBe(line)
})
