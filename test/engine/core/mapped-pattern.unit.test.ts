import { describe, expect, it } from 'vitest'
import { mappedPattern } from '../../../src/core/arguments/mapped-pattern.js'
import type { ObjectContext } from '../../../src/core/context/object-context.js'

const patternBy = (mapName: (name: string) => string, pattern: string) =>
  mappedPattern({ config: { mapName } as ObjectContext['config'] }, pattern)

describe('a pattern of mapped names', () => {
  it.each([
    ['app:', '*', '', 'app:*'],
    ['my-app:^]', 'a[b-c]?', '', 'my-app:^]a[b-c]?'],
    ['app[1]:', '*', '', 'app\\[1]:*'],
    ['app?:', 'x*', '', 'app\\?:x*'],
    ['team*:', '*', '', 'team\\*:*'],
    ['app\\:', '*', '', 'app\\\\:*'],
    ['', '*', '*', '*\\*'],
    ['**', '*', '**', '\\*\\**\\*\\*'],
    ['', 'x[', '', 'x['],
    ['app:', 'x\\', '', 'app:x\\'],
    ['{', '\\*[^]\\]]', '}', '{\\*[^]\\]]}'],
  ])('has %j before %j and %j after it as they are', (before, pattern, after, expected) => {
    expect(patternBy((name) => before + name + after, pattern)).toBe(expected)
  })

  it('may depend on the name, as long as what is added is plain', () => {
    const byTenant = (name: string) => `{${name.split(':')[0] ?? ''}}:${name}`
    expect(patternBy(byTenant, 'a:*')).toBe('{a}:a:*')
    const shared = (name: string) => (name.startsWith('all:') ? name : `app?:${name}`)
    expect(patternBy(shared, 'all:*')).toBe('all:*')
    expect(patternBy(shared, '*')).toBe('app\\?:*')
    expect(patternBy((name) => `APP:${name.toUpperCase()}`, '*')).toBe('APP:*')
  })

  it.each([
    ['changes it', (name: string) => name.replaceAll('*', 'x')],
    ['leaves it out', () => 'x'],
    ['repeats it', (name: string) => `${name}:${name}`],
    ['adds a part of it', (name: string) => `{${name.slice(0, 2)}}:${name}`],
  ])('is refused by a mapper that %s', (_, mapName) => {
    expect(() => patternBy(mapName, '**:a')).toThrow(TypeError)
  })

  it.each(['x[', 'x\\', '[a-]', '[^', '[\\]', 'a[b]c[d', '[é-ü-]', '[\\'])(
    'is refused where %j would go on in what is added after it',
    (pattern) => {
      expect(() => patternBy((name) => `${name}:1`, pattern)).toThrow(TypeError)
      expect(patternBy((name) => `1:${name}`, pattern)).toBe(`1:${pattern}`)
    },
  )

  it.each(['x', ']', 'x[]', '[a-]]', '[^a]', '\\[', '[\\]]', '[a-c]b[?]', '[é-ü]', '\n*'])(
    'ends where %j does',
    (pattern) => {
      expect(patternBy((name) => `${name}:?`, pattern)).toBe(`${pattern}:\\?`)
    },
  )
})
