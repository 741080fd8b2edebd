import { parseArgs } from 'node:util'
import { messageOf, runProgram } from '../scripts/command-line.js'
import { checkHistory, readHistory, type Verdict } from './check.js'
import { reportRuns, summarize } from './report.js'

const USAGE = `Usage: npm run chaos:check -- [--markdown] FILE...

Checks histories that runs have left, and tells of each what it shows; with --markdown of all together, in tables. Ends with 1
if one of them breaks a promise, with 2 if one cannot be read.`

process.exitCode = await runProgram(process.argv.slice(2), { read: readOptions, usage: USAGE, perform })

async function perform(options: Options): Promise<number> {
  const verdicts: Verdict[] = []
  let code = 0
  for (const file of options.files) {
    try {
      const verdict = checkHistory(await readHistory(file))
      verdicts.push(verdict)
      if (!options.markdown) console.log(`${file}\n${summarize(verdict)}\n`)
      if (verdict.violations.length > 0) code = Math.max(code, 1)
    } catch (error) {
      console.error(`${file}\n${messageOf(error)}\n`)
      code = 2
    }
  }
  if (options.markdown) console.log(reportRuns(verdicts))
  return code
}

interface Options {
  readonly files: readonly string[]
  readonly markdown: boolean
}

function readOptions(args: readonly string[]): Options {
  const options = { markdown: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (positionals.length === 0) throw new Error('Expected the file of at least one history, got none')
  return { files: positionals, markdown: values.markdown }
}
