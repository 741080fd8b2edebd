import { Screen } from '../demo/screen.js'
import { runProgram } from '../scripts/command-line.js'
import { startMasters } from '../test/support/servers.js'
import type { Contender } from './contenders/contender.js'
import { peers } from './contenders/contenders.js'
import { firstOf } from './contenders/first-of.js'
import { COSTS, measureCosts } from './costs/costs.js'
import { dearer } from './costs/dearer.js'
import { REFERENCE } from './costs/reference.js'
import { JAVA, javaRedisson } from './java/java-redisson.js'
import { measureWorkload } from './measure-workload.js'
import { readOptions, usage, type Task } from './options.js'
import { installPeers } from './peers/install-peers.js'
import { costsLines } from './report/costs.js'
import { drawings } from './report/drawings.js'
import { asJson } from './report/json.js'
import { writePage, writeDrawing } from './report/page.js'
import { shopLines, standingsLines } from './report/text.js'
import type { Results } from './results.js'
import { runShop, SHOP } from './shop.js'
import type { Standings } from './standings.js'
import { workloads } from './workloads/workloads.js'

// 0 when it is done, 1 if it could not be or if a script has become dearer, 2 if the command line is wrong.
process.exitCode = await runProgram(process.argv.slice(2), {
  read: readOptions,
  usage,
  perform: async (task) => {
    if (task !== undefined) return perform(task)
    console.log(usage)
    return 0
  },
})

async function perform(task: Task): Promise<number> {
  const json = task.outputs.includes('json')
  const screen = new Screen(json ? process.stderr : process.stdout)
  process.env['REDISSON_TEST_REDIS'] ??= 'local' // a process of this machine, unless a container is asked for
  const results = await measureAll(task, await contendersOf(task, screen), screen)
  if (json) console.log(JSON.stringify(asJson(results, task), undefined, 2))
  if (task.outputs.includes('page')) await writePage(results, task)
  if (task.outputs.includes('plot'))
    for (const { name, svg } of drawings(results.standings)) await writeDrawing(name, svg)
  return dearer(results.costs?.scripts ?? [], REFERENCE).length > 0 ? 1 : 0
}

/** Those whom the library is measured against, made ready. */
async function contendersOf(task: Task, screen: Screen): Promise<readonly Contender[]> {
  if (!workloads.some(({ name }) => task.workloads.includes(name))) return []
  const wanted = peers.filter(({ name }) => task.peers.includes(name))
  if (wanted.length > 0)
    await installPeers(() => screen.say('Installing the peers, in bench/peers/node_modules.'))
  if (!task.peers.includes(JAVA)) return wanted
  const java = await javaRedisson()
  if (!('missing' in java)) return [...wanted, java]
  screen.say(`${JAVA} is skipped: ${java.missing}`)
  return wanted
}

async function measureAll(task: Task, peers: readonly Contender[], screen: Screen): Promise<Results> {
  const { sizes } = task
  const wanted = workloads.filter(({ name }) => task.workloads.includes(name))
  await using servers = await startMasters(Math.max(1, ...wanted.map(({ masters = 1 }) => masters)))
  const standings: Standings[] = []
  for (const workload of wanted) {
    const onTurn = (contender: Contender, round: number): void => {
      screen.progress(() => `${workload.name}, round ${String(round)}: ${contender.name}`)
    }
    const nodes = servers.nodes.slice(0, workload.masters ?? 1)
    const result = await measureWorkload(workload, { nodes, peers, sizes, onTurn })
    for (const line of standingsLines(result)) screen.say(line)
    standings.push(result)
  }
  const shop = task.workloads.includes(SHOP) ? await runShop(firstOf(servers.nodes), sizes.orders) : undefined
  if (shop) for (const line of shopLines(shop)) screen.say(line)
  const costs = task.workloads.includes(COSTS)
    ? await measureCosts(firstOf(servers.nodes), sizes.rounds, (name) => {
        screen.progress(() => `${COSTS}: ${name}`)
      })
    : undefined
  if (costs) for (const line of costsLines(costs)) screen.say(line)
  return { standings, shop, costs }
}
