import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Lets Node run the sources as they are: an import of a `.js` finds the `.ts`, and a `.lua` is text.
registerHooks({
  resolve(specifier, context, next) {
    const source =
      /^\.{1,2}\/.*\.js$/.test(specifier) && new URL(specifier.replace(/js$/, 'ts'), context.parentURL)
    return source && existsSync(source) ? next(source.href, context) : next(specifier, context)
  },
  load(url, context, next) {
    if (!url.endsWith('.lua')) return next(url, context)
    const text = readFileSync(new URL(url), 'utf8')
    return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
  },
})
