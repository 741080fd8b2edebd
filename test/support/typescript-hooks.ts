import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Since this version Node reads `using` as it is. Older ones get it compiled. */
const FIRST_WITH_USING = 24

const compile = Number.parseInt(process.versions.node) < FIRST_WITH_USING ? await compiler() : undefined

// Lets Node run the sources as they are: an import of a `.js` finds the `.ts`, and a `.lua` is text.
registerHooks({
  resolve(specifier, context, next) {
    const source =
      /^\.{1,2}\/.*\.js$/.test(specifier) && new URL(specifier.replace(/js$/, 'ts'), context.parentURL)
    return source && existsSync(source) ? next(source.href, context) : next(specifier, context)
  },
  load(url, context, next) {
    if (url.endsWith('.lua')) return moduleOf(`export default ${JSON.stringify(textOf(url))}`)
    if (compile !== undefined && url.endsWith('.ts')) return moduleOf(compile(textOf(url)))
    return next(url, context)
  },
})

async function compiler(): Promise<(source: string) => string> {
  const { default: typescript } = await import('typescript')
  const { ModuleKind, ScriptTarget } = typescript
  const compilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  }
  return (source) => typescript.transpileModule(source, { compilerOptions }).outputText
}

function textOf(url: string): string {
  return readFileSync(new URL(url), 'utf8')
}

function moduleOf(source: string) {
  return { format: 'module', source, shortCircuit: true } as const
}
