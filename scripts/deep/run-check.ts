import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import type { Check } from './checks.js'
import type { Outcome } from './report.js'

/** How many of the last lines of a check are kept for the report. */
const LAST_LINES = 80

/** Runs a check, and shows what it prints. */
export async function runCheck(check: Check): Promise<Outcome> {
  const startedAt = performance.now()
  const child = spawn(check.command, check.args, {
    env: { ...process.env, ...check.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const keep = (chunk: Buffer): void => {
    process.stdout.write(chunk)
    text = `${text}${chunk.toString()}`.split('\n').slice(-LAST_LINES).join('\n')
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return {
    check,
    end: code ?? signal ?? 1,
    tookMs: performance.now() - startedAt,
    lastLines: stripVTControlCharacters(text).trimEnd().split('\n'),
  }
}
