import { messageOf, runProgram } from '../scripts/command-line.js'
import { checkHistory } from './check.js'
import { readOptions, usage, type Pair, type Plan, type Task } from './options.js'
import { summarize } from './report.js'
import { run } from './run.js'

// 0 if all promises were kept, 1 if not or if a run failed, 2 if the command line is wrong.
process.exitCode = await runProgram(process.argv.slice(2), { read: readOptions, usage, perform })

async function perform(task: Task): Promise<number> {
  if (task.what === 'help') {
    console.log(usage)
    return 0
  }
  process.env['REDISSON_TEST_REDIS'] ??= 'local' // processes of this machine, unless containers are asked for
  let allKept = true
  for (const pair of task.plan.pairs) if (!(await runAndTell(pair, task.plan))) allKept = false
  return allKept ? 0 : 1
}

/** Returns whether all promises were kept. */
async function runAndTell({ topology, lock }: Pair, plan: Plan): Promise<boolean> {
  console.log(`${topology} ${lock}, seed ${plan.seed}: ${(plan.runMs / 1_000).toFixed(0)} s of faults`)
  try {
    const { folder, history, stuck, startMs } = await run({ topology, lock }, plan)
    const verdict = checkHistory(history)
    console.log(
      indented(`servers started in ${(startMs / 1_000).toFixed(1)} s; ${folder}\n${summarize(verdict)}`),
    )
    for (const name of stuck) console.log(indented(`${name} does not come in any more`))
    const held = verdict.violations.length === 0 && stuck.length === 0
    console.log(indented(held ? 'all promises kept' : 'PROMISES BROKEN'))
    return held
  } catch (error) {
    console.error(indented(`the run failed: ${messageOf(error)}`))
    return false
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
