import { registerHooks } from 'node:module'

const root = new URL('../../', import.meta.url).href

/** What prose imports, besides packages. */
const names = new Map([
  ['ioredisson', new URL('src/index.ts', root).href],
  ['surroundings', new URL('test/prose/surroundings.ts', root).href],
])

// Lets prose import the library by its name and get the sources, and find other packages wherever it was written to.
registerHooks({
  resolve(specifier, context, next) {
    const named = names.get(specifier)
    if (named !== undefined) return next(named, context)
    return /^[a-z@]/.test(specifier) && !specifier.includes(':')
      ? next(specifier, { ...context, parentURL: root })
      : next(specifier, context)
  },
})
