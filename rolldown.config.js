import { existsSync, readdirSync, rmSync } from 'node:fs'
import { URL } from 'node:url'
import { defineConfig } from 'rolldown'
import ts from 'typescript'

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true })

/** Rooms of objects. Each becomes a file that is loaded when a factory of `*.object.ts` makes the first of its objects, as few programs use all of them. */
const ROOMS = readdirSync('src').filter((room) => existsSync(`src/${room}/${room}.api.ts`))

/** Leaves out the comments and the indentation of scripts: they are more than half of their text, which each server keeps. */
const scriptsAsText = {
  name: 'scripts-as-text',
  transform: {
    filter: { id: /\.lua$/ },
    handler: (code) => ({ code: code.replace(/^[ \t]*(?:--.*)?\n|^[ \t]+/gm, ''), moduleType: 'text' }),
  },
}

/** Makes the `require` of a room wait for the first use of what the room exports. */
const loadedWhenUsed = {
  name: 'loaded-when-used',
  renderChunk: (code) => ({ code: ROOMS.reduce(loadWhenUsed, code), map: null }),
}

function loadWhenUsed(code, room) {
  const loaded = `const lazy_${room} = { get room() { return (this.loaded ??= require("./${room}.cjs")); } };`
  return code
    .replace(`const require_${room} = require("./${room}.cjs");`, loaded)
    .replace(new RegExp(`\\brequire_${room}\\b`, 'g'), `lazy_${room}.room`)
}

/**
 * Begins a line with each declaration and each method, where the minifier leaves one line: Node prints the whole line of an error that is not caught.
 * Escapes what is not in ASCII, as V8 keeps a source in half of the memory then: no name has such characters. Both are done last, since the minifier
 * prints anew.
 */
const asPrinted = {
  name: 'as-printed',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = inLines(file.code).replace(/[^\0-\x7f]/g, escaped)
  },
}

function inLines(code) {
  const starts = []
  const visit = (node) => {
    if (ts.isSourceFile(node.parent) || ts.isClassElement(node)) starts.push(node.getStart())
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true), visit)
  return starts.map((start, index) => code.slice(start, starts[index + 1])).join('\n')
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const INTERNAL = 'require("ioredis/built/DataHandler.js")'

/** Lets the package load where a later version of ioredis has no such file: see `guardReplies`. */
const mayBeMissing = {
  name: 'may-be-missing',
  renderChunk: (code) => ({
    code: code.replace(INTERNAL, `(() => { try { return ${INTERNAL}; } catch { return {}; } })()`),
    map: null,
  }),
}

/** Renames a class of a dependency that is called as one of ours: the bundler would rename ours, and programs see that name in stacks. */
const namesOfOurs = {
  name: 'names-of-ours',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]p-retry[\\/]/ },
    handler: (code) => ({ code: code.replace(/\bAbortError\b/g, 'RetryAbortError'), map: null }),
  },
}

/** Adds the door for `import`. It has the classes of the door for `require`, so a program that uses both has each of them once. */
const doorForImport = {
  name: 'door-for-import',
  generateBundle(_, bundle) {
    const { exports } = bundle['index.cjs']
    const source = `export { ${exports.join(', ')} } from './index.cjs'\n`
    this.emitFile({ type: 'asset', fileName: 'index.js', source })
  },
}

const OLD_NODE = `if (parseInt(process.versions.node) < 22) throw new Error("ioredisson needs Node.js 22.12 or later, got " + process.versions.node);`

/** src → dist: CommonJS, which every runtime, test runner and bundler can load, and a door for `import`. */
export default defineConfig({
  input: 'src/index.ts',
  platform: 'node',
  external: [/^node:/, 'eventemitter3', /^ioredis(?:\/|$)/, 'lru-cache', 'yaml'],
  experimental: { attachDebugInfo: 'none' }, // no line for each source
  plugins: [scriptsAsText, namesOfOurs, loadedWhenUsed, mayBeMissing, asPrinted, doorForImport],
  preserveEntrySignatures: 'allow-extension', // the chunks are divided by room, whoever imports them
  checks: { bundlerTimings: false }, // a warning of a busy machine
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false, // Jest has no `import()` without a flag
    comments: false,
    // Stack traces keep the names of functions and classes. Only local and private names are shortened.
    minify: {
      compress: { keepNames: { function: true, class: true }, sequences: false },
      mangle: { toplevel: false, keepNames: true },
      codegen: true,
    },
    intro: ({ name }) => (name === 'index' ? OLD_NODE : ''),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        ...ROOMS.map((name) => ({
          name,
          test: new RegExp(`[\\\\/]src[\\\\/]${name}[\\\\/](?!.*\\.(?:objects?|errors)\\.ts$)`),
        })),
        {
          name: 'core',
          test: /^(?!.*(?:[\\/]src[\\/](?:index|client[\\/]|config[\\/]file[\\/]config-file)|\.objects?\.ts$))/,
        },
      ],
    },
  },
})
