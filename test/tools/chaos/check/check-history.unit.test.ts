import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChild } from '../../../support/child.js'
import { Tale } from './tale.js'

const MAIN = new URL('../../../../chaos/check-history.ts', import.meta.url)

describe('the command that checks histories again', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'histories-'))
    await write('good', new Tale().visits('a/0', 'h1', [2, 5]))
    await write('bad', new Tale().visits('a/0', 'h1', [2, 6]).visits('b/0', 'h2', [5, 9]))
    await writeFile(join(folder, 'none.jsonl'), 'nothing\n')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const write = (name: string, { entries }: Tale): Promise<void> =>
    writeFile(join(folder, `${name}.jsonl`), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))

  it.each([
    ['0 if all hold', ['good'], 0, ['rlock on single, 0 synced replicas, seed 7: holds']],
    ['1 if one is broken', ['bad', 'good'], 1, ['VIOLATION too-many-holders', ': holds']],
    ['2 if one cannot be read', ['none', 'bad'], 2, ['none.jsonl, line 1, got', 'VIOLATION']],
    ['2 if it is given none', [], 2, ['Usage: ']],
  ])('ends with %s', async (_, names, code, words) => {
    const files = names.map((name) => join(folder, `${name}.jsonl`))
    await using child = startChild(MAIN, { args: files })
    expect((await child.exited).code).toBe(code)
    for (const word of words) expect(child.output).toContain(word)
  })
})
