import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

/** The first cells of the table, which name a file each. */
const listed = readFileSync(`${root}test/known-flaky.md`, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `test/'))
  .map((line) => /`(.+?)`/.exec(line)?.[1] ?? '')

const tagged = globSync('test/**/*.ts', { cwd: root }).filter((file) =>
  /tags: \[('\w+', )*'flaky'/.test(readFileSync(root + file, 'utf8')),
)

describe('the list of flaky tests', () => {
  it('has a line for each file with a test that is tagged so, and for no other', () => {
    expect(new Set(listed)).toEqual(new Set(tagged))
  })
})
