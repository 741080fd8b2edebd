import { registerHooks } from 'node:module'

const root = new URL('../../', import.meta.url).href

/** The sources, or what `.ci/run` has built of them, which a process loads in a quarter of the time. */
const library = process.env['REDISSON_TEST_GATE'] === 'true' ? 'dist/index.js' : 'src/index.ts'

/** What prose imports, besides packages. */
const names = new Map([
  ['ioredisson', new URL(library, root).href],
  ['surroundings', new URL('test/prose/surroundings.ts', root).href],
])

// Lets prose import the library by its name, and find other packages wherever it was written to.
registerHooks({
  resolve(specifier, context, next) {
    const named = names.get(specifier)
    if (named !== undefined) return next(named, context)
    return /^[a-z@]/.test(specifier) && !specifier.includes(':')
      ? next(specifier, { ...context, parentURL: root })
      : next(specifier, context)
  },
})
