import { describe, expect, it } from 'vitest'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { withoutWords } from '../../../src/errors/without-words.js'

describe('what a trace says of an error', () => {
  it.each([
    ['TypeError', new TypeError('of hunter2')],
    ['RangeError', new RangeError('of hunter2')],
    ['SyntaxError', new SyntaxError('of hunter2')],
    ['AggregateError', new AggregateError([], 'of hunter2')],
    ['AbortError', new DOMException('of hunter2', 'AbortError')],
    ['TimeoutError', new DOMException('of hunter2', 'TimeoutError')],
    ['Error', new Error('of hunter2')],
    ['Error', Object.assign(new Error('of hunter2'), { name: 'hunter2', code: 'hunter2' })],
    ['Error', Object.assign(new TypeError('of hunter2'), { name: 'hunter2' })],
    ['Error', new DOMException('of hunter2', 'hunter2')],
    ['Error', { name: 'TypeError' }],
    ['Error', 'hunter2'],
    ['Error', undefined],
  ])('is %s, and nothing that a program has chosen', (name, error: unknown) => {
    const said = withoutWords(error, 'The acquisition')
    expect(said).toHaveProperty('name', name)
    expect(said).not.toHaveProperty('code')
    expect(said.message).toBe('The acquisition has failed')
  })

  it('is the name and the code of an error of the library', () => {
    expect(withoutWords(new ClientClosedError(), 'HGET')).toMatchObject({
      name: 'ClientClosedError',
      code: 'CLOSED',
    })
  })
})
