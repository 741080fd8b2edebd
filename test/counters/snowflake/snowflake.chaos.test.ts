import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChild, type Child } from '../../support/child.js'
import { eventually } from '../../support/eventually.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { startSingle } from '../../support/servers.js'

const WATCHDOG_MS = 900
const NAME = 'flakes'
const BOUNDS = '{flakes}:bounds'

/** As many as there are in some milliseconds, so that two processes with the same number would have the same. */
const COUNT = 20_000

const file = new URL('fixtures/takes-ids.ts', import.meta.url)

describe('a process that takes ids', () => {
  let server: SingleTopology

  beforeAll(async () => {
    server = await startSingle()
  })

  afterAll(() => server.stop())

  const start = () => {
    const options = { ...server.options({}), lockWatchdogTimeout: WATCHDOG_MS }
    return startChild(file, { args: [JSON.stringify(options), NAME, String(COUNT)] })
  }

  const take = async (child: Child) => {
    child.tell('ask')
    const { ids, node } = await child.hear('answer')
    return { ids: ids as readonly string[], node }
  }

  /** Waits until the window of a number is over. */
  const untilFree = (node: number) =>
    eventually(async () => Number(await server.nodes[0].command('ZSCORE', BOUNDS, node)) < Date.now(), {
      what: `number ${String(node)} to be free`,
    })

  it('hands out no id of its number when it was frozen, and another process has the number', async () => {
    await using frozen = start()
    await using next = start()
    const before = await take(frozen)
    frozen.pause()
    await untilFree(0)
    const meanwhile = await take(next)
    frozen.resume()
    const [after, other] = await Promise.all([take(frozen), take(next)])
    expect([before.node, meanwhile.node, after.node, other.node]).toEqual([0, 0, 1, 0])
    const all = [before, meanwhile, after, other].flatMap(({ ids }) => ids)
    expect(new Set(all).size).toBe(4 * COUNT)
  })
})
