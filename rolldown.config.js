import { readFileSync, rmSync } from 'node:fs'
import { URL } from 'node:url'
import { defineConfig } from 'rolldown'

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true })

/** src → dist, file for file; a script in Lua becomes a module that exports its text. */
export default defineConfig({
  input: 'src/index.ts',
  platform: 'node',
  external: [/^node:/, ...Object.keys(dependencies)],
  moduleTypes: { '.lua': 'text' },
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
  output: {
    dir: 'dist',
    preserveModules: true,
    preserveModulesRoot: 'src',
    // A module and a script of the same name may lie side by side.
    entryFileNames: ({ facadeModuleId }) =>
      facadeModuleId?.endsWith('.lua') ? '[name].lua.js' : '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true, // the package brings its sources along
  },
})
