import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type TypeScript from 'typescript'

const root = new URL('../../', import.meta.url).href

/** What prose imports, besides packages. */
const names = new Map([
  ['ioredisson', new URL('src/index.ts', root).href],
  ['surroundings', new URL('test/prose/surroundings.ts', root).href],
])

/** Since this version Node reads `await using` as it is. */
const FIRST_WITH_USING = 24

const readsUsing = Number(process.versions.node.split('.')[0]) >= FIRST_WITH_USING

// Lets prose import the library by its name and get the sources, and find other packages wherever it was written to.
registerHooks({
  resolve(specifier, context, next) {
    const named = names.get(specifier)
    if (named !== undefined) return next(named, context)
    return /^[a-z@]/.test(specifier) && !specifier.includes(':')
      ? next(specifier, { ...context, parentURL: root })
      : next(specifier, context)
  },
  load(url, context, next) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : ''
    if (readsUsing || !file.endsWith('.ts') || !file.includes(`${sep}examples${sep}`))
      return next(url, context)
    return { format: 'module', source: withoutUsing(readFileSync(file, 'utf8')), shortCircuit: true }
  },
})

function withoutUsing(text: string): string {
  const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript
  const { ES2022 } = ts.ScriptTarget
  return ts.transpileModule(text, { compilerOptions: { target: ES2022, module: ts.ModuleKind.ESNext } })
    .outputText
}
