import { runProgram } from '../scripts/command-line.js'
import type { RunningNode, ServerNode } from '../test/support/launch/topology.js'
import { startSingle } from '../test/support/servers.js'
import { reportLoad } from './load/report.js'
import { runLoad } from './load/run-load.js'
import { readOptions, usage, type Acts, type Task } from './options.js'
import { ITEMS } from './outcome.js'
import type { PriceStep } from './prices/price-steps.js'
import { announceFourthAct, reportPrices, summarizePrices, type PriceResult } from './prices/report-prices.js'
import { runPrices } from './prices/run-prices.js'
import { announce, announceSecondAct, reportStep, summarize, type Result } from './report.js'
import { BUYERS, runStep } from './run-step.js'
import { Screen } from './screen.js'
import {
  announceThirdAct,
  reportShipping,
  summarizeShipping,
  type ShippingResult,
} from './shipping/report-shipping.js'
import { runShipping } from './shipping/run-shipping.js'
import type { ShippingStep } from './shipping/shipping-steps.js'
import { isWithoutLock, type Step } from './steps.js'

const screen = new Screen(process.stdout)

// 0 if everything behaved as expected, 1 if not, 2 if the command line is wrong.
process.exitCode = await runProgram(process.argv.slice(2), {
  read: readOptions,
  usage,
  perform: async (task) => ((await perform(task, screen)) ? 0 : 1),
})

async function perform(task: Task, screen: Screen): Promise<boolean> {
  switch (task.what) {
    case 'help':
      screen.say(usage)
      return true
    case 'steps':
      return await withServer(screen, (redis) => performActs(task, redis, screen))
    case 'load':
      return await withServer(screen, async (redis) =>
        reportLoad(task.orders, await runLoad(task.orders, redis, screen), screen),
      )
  }
}

/** Starts a private server. It ends with this process at the latest, however that ends. */
async function withServer<T>(screen: Screen, use: (redis: RunningNode) => Promise<T>): Promise<T> {
  process.env['REDISSON_TEST_REDIS'] ??= 'local' // a process of this machine, unless a container is asked for
  const server = await startSingle()
  try {
    const [redis] = server.nodes
    screen.say(`A private server on port ${String(redis.port)}.`)
    return await use(redis)
  } finally {
    await server.stop()
  }
}

async function performActs(
  { steps, shipping, prices }: Acts,
  redis: RunningNode,
  screen: Screen,
): Promise<boolean> {
  const sold = steps.length === 0 || (await performSteps(steps, redis, screen))
  const shipped = shipping.length === 0 || (await performShipping(shipping, redis, screen))
  const shown = prices.length === 0 || (await performPrices(prices, redis, screen))
  return sold && shipped && shown
}

async function performPrices(
  steps: readonly PriceStep[],
  redis: RunningNode,
  screen: Screen,
): Promise<boolean> {
  announceFourthAct(screen)
  const results: PriceResult[] = []
  for (const [index, step] of steps.entries()) {
    announce(step, `${String(index + 1)}/${String(steps.length)}`, screen)
    const result = { step, shown: await runPrices(step, redis, screen) }
    reportPrices(result, screen)
    results.push(result)
  }
  return summarizePrices(results, screen)
}

async function performShipping(
  steps: readonly ShippingStep[],
  redis: ServerNode,
  screen: Screen,
): Promise<boolean> {
  announceThirdAct(screen)
  const results: ShippingResult[] = []
  for (const [index, step] of steps.entries()) {
    announce(step, `${String(index + 1)}/${String(steps.length)}`, screen)
    const result = { step, shipping: await runShipping(step, redis, screen) }
    reportShipping(result, screen)
    results.push(result)
  }
  return summarizeShipping(results, screen)
}

async function performSteps(steps: readonly Step[], redis: ServerNode, screen: Screen): Promise<boolean> {
  screen.say(`Two shops sell ${String(ITEMS)} items to ${String(BUYERS)} buyers.`)
  const results: Result[] = []
  for (const [index, step] of steps.entries()) {
    if (isWithoutLock(step) && steps.findIndex(isWithoutLock) === index) announceSecondAct(screen)
    announce(step, `${String(index + 1)}/${String(steps.length)}`, screen)
    const result = { step, outcome: await runStep(step, redis, screen) }
    reportStep(result, screen)
    results.push(result)
  }
  return summarize(results, screen)
}
