/** Runs compiled snippets one after the other, in the folder that is named first, and reports the result of each. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { tell } from '../support/child-side.js'
import '../support/own-name.js'

/** None of them takes long. */
const PATIENCE_MS = 10_000

console.assert = (holds) => {
  if (holds !== true) throw new Error('What the snippet asserts is not so')
}

let fail: (error: unknown) => void = () => undefined
process.on('unhandledRejection', (error) => {
  fail(error)
})
process.on('uncaughtException', (error) => {
  fail(error)
})

const [folder = '.', ...files] = process.argv.slice(2)
process.chdir(folder) // files that a snippet names are there

for (const file of files) {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  fail = reject
  const tooLong = sleep(PATIENCE_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('It does not end')),
  )
  try {
    await Promise.race([import(pathToFileURL(file).href), failed, tooLong])
    tell('ran', { file })
  } catch (error) {
    tell('ran', { file, error: error instanceof Error ? error.stack : String(error) })
  }
}
tell('done')
