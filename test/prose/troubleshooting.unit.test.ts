import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRedissonError } from '../../src/index.js'
import { root, rowsOf } from './snippets.js'

const page = 'docs/guide/troubleshooting.md'

const rows = (heading: string) => rowsOf(page, heading).map(([code]) => code)

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))

const namedInSources = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))),
]

describe('the page on troubleshooting', () => {
  it('has a row for every warning', () => {
    expect(rows('Warnings').sort()).toEqual(namedInSources(/'(REDISSON_[A-Z_]+)'/g).sort())
  })

  it('has a row for every error code', () => {
    const codes = namedInSources(/ (?:readonly|override readonly) code = '([A-Z_]+)'/g)
    expect(rows('Errors').sort()).toEqual(codes.sort())
    expect(rows('Errors').filter((code) => !isRedissonError(Object.assign(new Error(), { code })))).toEqual(
      [],
    )
  })
})
