import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands } from './commands/commands.js'

const src = new URL('../../../src/', import.meta.url).pathname

/** Those that are the server's own, and no entry of the table. */
const TRANSACTIONS = ['multi', 'exec', 'discard']

/** Those of Redis 7.4 and Valkey 9: the simulated server is a Redis 7.0. */
const ENDS_OF_FIELDS = ['hpttl', 'hpexpire', 'hpexpireat', 'hpexpiretime', 'hpersist']

const known = new Set([...commands.keys(), ...TRANSACTIONS, ...ENDS_OF_FIELDS])

/** The commands that a pattern finds in files of a kind. */
function commandsIn(files: string, pattern: RegExp): ReadonlySet<string> {
  const texts = globSync(files, { cwd: src }).map((file) => readFileSync(src + file, 'utf8'))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase())),
  )
}

describe('the commands of the simulated server', () => {
  it.each([
    ['that scripts call', '**/*.lua', /redis\.p?call\('(\w+)'/g, 40],
    ['that are sent by themselves', '**/*.ts', /defineCommand\(\s*'(\w+)/g, 30],
    ['that connections send', '**/*.ts', /name: '(\w+)', args/g, 5],
  ])('are all %s', (_, files, pattern, atLeast) => {
    const used = commandsIn(files, pattern)
    expect(used.size).toBeGreaterThan(atLeast)
    expect([...used].filter((name) => !known.has(name))).toEqual([])
  })
})
