import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath, URL } from 'node:url'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { format } from 'prettier'

const pathOf = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url))

/** The types of `require`, and those of `import`, which are the same: a class has one type for both. */
const forRequire = pathOf('dist/index.d.cts')
const forImport = pathOf('dist/index.d.ts')

/** Not every program says `"types": ["node"]`. */
const NODE_TYPES = '/// <reference types="node" />\n'

const settings = ExtractorConfig.loadFile(pathOf('api-extractor.json'))
const extractorConfig = ExtractorConfig.prepare({
  configObject: {
    ...settings,
    apiReport: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: '', publicTrimmedFilePath: forRequire },
  },
  configObjectFullPath: pathOf('api-extractor.json'),
  packageJsonFullPath: pathOf('package.json'),
})
const { succeeded } = Extractor.invoke(extractorConfig, {
  messageCallback(message) {
    message.handled = message.logLevel !== 'error' && message.logLevel !== 'warning'
  },
})
if (!succeeded) throw new Error('The declarations cannot be rolled up')

// The extractor indents each nested comment deeper than the one before.
const lines = (await readFile(forRequire, 'utf8')).replace(/^ +/gm, '')
const rolledUp = await format(lines, { parser: 'typescript', printWidth: 110, useTabs: true })
await writeFile(forRequire, NODE_TYPES + rolledUp)
await writeFile(forImport, `${NODE_TYPES}export * from './index.cjs'\n`)
