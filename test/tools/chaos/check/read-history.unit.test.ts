import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHistory } from '../../../../chaos/check.js'
import type { Entry } from '../../../../chaos/history.js'
import { Tale } from './tale.js'

describe('a file of a history', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'history-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const { entries } = new Tale()
    .starts('ä')
    .fault('failover', 1, 2)
    .visits('ä/0', 'h1', [2, 5])
    .acquires('ä/0', 'h2', [7, 8], { within: 'h1', outcome: 'failed', error: 'CLOSED' })
    .resource(['x'], 9)
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)

  const read = async (text: string): Promise<Entry[]> => {
    const file = join(folder, 'history.jsonl')
    await writeFile(file, text)
    return await readHistory(file)
  }

  it('is read as it was written', async () => {
    expect(await read(lines.join(''))).toEqual(entries)
  })

  it('is read up to a line that was cut', async () => {
    expect(await read(`${lines.join('')}{"type":"step","at":1`)).toEqual(entries)
  })

  it('is read to its end if only the end of the last line is missing', async () => {
    expect(await read(lines.join('').trimEnd())).toEqual(entries)
  })

  it('may be longer than what is read at once', async () => {
    const long = { type: 'resource', at: 10, name: 'lock', elements: ['é'.repeat(3_000_000)] } as const
    expect(await read(`${lines.join('')}${JSON.stringify(long)}\n`)).toEqual([...entries, long])
  })

  it.each([
    ['half a line', '{"type":"step","at":1', 'JSON'],
    ['an empty line', '', 'JSON'],
    ['something else', '[]', 'the type undefined in []'],
    ['an unknown type', '{"type":"wish"}', 'the type wish in {"type":"wish"}'],
    ['a type that every object has', '{"type":"constructor"}', 'the type constructor'],
    ['a missing field', '{"type":"step","at":1,"what":"holds"}', 'no hold in {'],
    ['a wrong field', '{"type":"step","at":"1","what":"holds","hold":"h"}', 'the at "1" in {'],
    ['a wrong word', '{"type":"step","at":1,"what":"has","hold":"h"}', 'the what "has" in {'],
  ])('may not have %s in its middle', async (_, line, got) => {
    const reading = read([lines[0], `${line}\n`, lines[1]].join(''))
    await expect(reading).rejects.toThrow(/^Expected an entry of a history in .*history\.jsonl, line 2, got /)
    await expect(reading).rejects.toThrow(got)
  })

  it('may not end with a whole line that makes no sense', async () => {
    await expect(read(`${lines.join('')}{"type":"step"\n`)).rejects.toThrow(
      `line ${String(lines.length + 1)}, got`,
    )
  })
})
