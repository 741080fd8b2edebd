import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LONG } from './longest-first.js'

describe('the files that take longest', () => {
  it.each(LONG)('are where the list says: %s', (file) => {
    expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true)
  })
})
