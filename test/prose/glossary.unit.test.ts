import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The classes that are not public: errors are, and say in their docstrings what they are. */
const classes = globSync('src/**/*.ts', { cwd: root, exclude: ['src/errors/**', 'src/api/**'] })
  .flatMap((file) => [
    ...readFileSync(resolve(root, file), 'utf8').matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm),
  ])
  .map(([, name]) => name ?? '')
  .sort()

const glossary = readFileSync(resolve(root, 'docs/architecture.md'), 'utf8')
  .split(/^## /m)
  .find((section) => section.startsWith('The classes\n'))

describe('the glossary', () => {
  it('has every class of the sources, once, and no other', () => {
    const rows = (glossary ?? '').split('\n').filter((line) => line.startsWith('| `'))
    const named = rows
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
      .map(([, name]) => name)
    expect(named.sort()).toEqual(classes)
  })
})
