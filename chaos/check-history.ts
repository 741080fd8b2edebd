import { checkHistory, readHistory } from './check.js'
import { summarize } from './report.js'

const USAGE = `Usage: node --import ./test/support/typescript-hooks.ts chaos/check-history.ts FILE...

Checks histories that runs have left. Ends with 1 if one of them breaks a promise, with 2 if one cannot be read.`

process.exitCode = await main(process.argv.slice(2))

async function main(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    console.error(USAGE)
    return 2
  }
  let code = 0
  for (const file of files) {
    try {
      const verdict = checkHistory(await readHistory(file))
      console.log(`${file}\n${summarize(verdict)}\n`)
      if (verdict.violations.length > 0) code = Math.max(code, 1)
    } catch (error) {
      console.error(`${file}\n${error instanceof Error ? error.message : String(error)}\n`)
      code = 2
    }
  }
  return code
}
