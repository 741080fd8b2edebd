import { runProgram } from '../scripts/command-line.js'
import { readOptions, usage, type Plan, type Task } from './random-use/options.js'
import { storyOf, summaryOf } from './random-use/report.js'
import { playRounds } from './random-use/run.js'

// 0 if all promises were kept, 1 if not or if a round failed, 2 if the command line is wrong.
process.exitCode = await runProgram(process.argv.slice(2), { read: readOptions, usage, perform })

async function perform(task: Task): Promise<number> {
  if (task.what === 'help') {
    console.log(usage)
    return 0
  }
  process.env['REDISSON_TEST_REDIS'] ??= 'local' // processes of this machine, unless containers are asked for
  return await play(task.plan)
}

async function play(plan: Plan): Promise<number> {
  console.log(
    `${plan.topology}, seed ${String(plan.seed)}: ${(plan.runMs / 60_000).toFixed(1)} minutes of random use`,
  )
  const started = performance.now()
  let broken = 0
  for await (const round of playRounds(plan)) {
    const at = ((performance.now() - started) / 1_000).toFixed(0)
    console.log(`${at} s: ${summaryOf(round)}`)
    if (round.breaches.length === 0) continue
    broken += 1
    console.log(storyOf(round).replaceAll(/^/gm, '  '))
  }
  console.log(broken === 0 ? 'all promises kept' : `PROMISES BROKEN in ${String(broken)} rounds`)
  return broken === 0 ? 0 : 1
}
