import { describe, expect, it } from 'vitest'
import { headerLine, readHeader } from '../../../src/caches/cache/record.js'

const stamp = new Map([
  ['', { deleted: 7, expired: 0 }],
  ['a [b]', { deleted: 1, expired: 2 }],
])

describe('the record of an entry', () => {
  it('is read as it was written', () => {
    const header = { ttlMs: 5, staleMs: 6, loadMs: 3, isAbsent: false, stamp }
    const value = Buffer.from('1\n2')
    expect(readHeader(Buffer.concat([Buffer.from(headerLine(header)), value]))).toEqual({ ...header, value })
  })

  it.each([
    '',
    '\n',
    '2 5 6 3 0 7\n1',
    '1 5 6 3 0 7 [oops]\n1',
    '1 5 6 3 0 7 [null]\n1',
    '1 5 6 3 0 7 [5]\n1',
    '1 5 6 3 0 7 [["a"]]\n1',
    '1 5 6 3 0 7 [["a","1","2"]]\n1',
  ])('is none if it is %j', (text) => {
    expect(readHeader(Buffer.from(text))).toBeUndefined()
  })
})
