import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { MIX_NAMES } from '../../chaos/random-use/mixes.js'

/** Ends a simulation that hangs, and asserts nothing. */
const PATIENCE_MS = 900_000

const hooks = new URL('../support/typescript-hooks.ts', import.meta.url).href
const program = fileURLToPath(new URL('simulate.ts', import.meta.url))

/** Half a second of virtual time of every kind of programs, for each of some seeds. */
async function simulate(
  seeds: string,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const args = ['--import', hooks, program, '--seeds', seeds, '--seconds', '0.5']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: output.trimEnd().split('\n') }
}

describe('simulated processes', () => {
  let first: Awaited<ReturnType<typeof simulate>>
  let second: typeof first
  let again: typeof first

  beforeAll(async () => {
    ;[first, second] = await Promise.all([simulate('1-4'), simulate('5-8')])
    again = await simulate('4-4')
  }, PATIENCE_MS)

  it('keep all promises in more than a hundred schedules', () => {
    const lines = [...first.lines, ...second.lines]
    expect(lines.filter((line) => !line.endsWith(': ok'))).toEqual([])
    expect(lines).toHaveLength(8 * MIX_NAMES.length)
    expect([first.code, second.code]).toEqual([0, 0])
  })

  it('do the same again from the same seed, also in another process', () => {
    const known = new Set([...first.lines, ...second.lines])
    expect(again.lines.filter((line) => !known.has(line))).toEqual([])
    expect(again.lines).toHaveLength(MIX_NAMES.length)
  })
})
