import { globSync } from 'node:fs'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import type { Script } from '../../../src/command/operation/script.js'

const src = new URL('../../../src/', import.meta.url)

/** The names of all scripts of the library, by their hashes. */
export async function scriptNames(): Promise<ReadonlyMap<string, string>> {
  const files = globSync('**/*.scripts.ts', { cwd: src.pathname })
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, src).href) as Promise<Record<string, unknown>>),
  )
  const scripts = modules.flatMap((module) => Object.values(module)).filter(isScript)
  return new Map(
    scripts.flatMap((script) => [
      [script.sha, script.name],
      [onceOf(script).sha, `${script.name} once`],
    ]),
  )
}

function isScript(value: unknown): value is Script<string, string, unknown> {
  return typeof value === 'object' && value !== null && 'sha' in value && 'name' in value
}
