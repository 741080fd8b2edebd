import { writeFileSync } from 'node:fs'
import { runProgram } from '../command-line.js'
import { checksOf } from './checks.js'
import { readOptions, usage, type Plan, type Task } from './options.js'
import { hasFound, reportOf, type Outcome } from './report.js'
import { runCheck } from './run-check.js'

// 0 if nothing was found, 1 if something was, 2 if the command line is wrong.
process.exitCode = await runProgram(process.argv.slice(2), { read: readOptions, usage, perform })

async function perform(task: Task): Promise<number> {
  if (task.what === 'help') {
    console.log(usage)
    return 0
  }
  process.env['REDISSON_TEST_REDIS'] ??= 'local' // processes of this machine, unless containers are asked for
  const outcomes = await runAll(task.plan)
  console.log(`\n${reportOf(outcomes, task.plan.seed)}`)
  return outcomes.some(hasFound) ? 1 : 0
}

/** Runs all checks one by one. The report is written after each, so that it is there if the run is ended. */
async function runAll({ kinds, runMs, seed, report }: Plan): Promise<readonly Outcome[]> {
  const endAt = performance.now() + runMs
  const outcomes: Outcome[] = []
  for (const check of checksOf(kinds, { runMs, seed })) {
    console.log(`\n== ${check.kind}: ${check.title} (seed ${String(seed)})`)
    const begins = performance.now() < endAt
    outcomes.push(begins ? await runCheck(check) : { check, end: 'not begun', tookMs: 0, lastLines: [] })
    writeFileSync(report, reportOf(outcomes, seed))
  }
  return outcomes
}
