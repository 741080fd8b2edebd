import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../prose/snippets.js'
import { startChild, type Child } from '../support/child.js'
import { twoClients } from '../support/clients.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/launch/guard.js'
import { addressOf } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

const ownName = new URL('../support/own-name.ts', import.meta.url)
const work = new URL('fixtures/work.ts', import.meta.url)

/** What the recipe of the guide says, and what it shall be here. */
type Change = readonly [said: string, meant: string]

const CONNECTED = "'redis://127.0.0.1:6379'"
const HERE = `redis://${addressOf(single.nodes[0])}`

/** A lease that outlasts the test, so that a waiter gets the lock only where it is given back. */
const NEVER_MS = 600_000

/** The settings of a client with leases of that time. */
const leasing = (lockWatchdogTimeout: number): string =>
  `{ singleServerConfig: { address: '${HERE}' }, lockWatchdogTimeout: ${lockWatchdogTimeout} }`

describe('the recipe for SIGTERM', () => {
  const clients = twoClients(single)
  noLeaks(single, { except: /^redisson_unlock_latch:/ })

  /** Runs the recipe as a process of its own; it is inside its critical section then. */
  const start = async (works: string, changes: Change[] = [], leaseMs = NEVER_MS): Promise<Child> => {
    const [recipe] = blocksOf('docs/guide/shutting-down.md').filter(({ code }) => code.includes('SIGTERM'))
    const all: Change[] = [[CONNECTED, leasing(leaseMs)], ...changes]
    const code = all.reduce((text, [said, meant]) => {
      expect(text).toContain(said)
      return text.replace(said, meant)
    }, recipe?.code ?? '')
    const file = join(temporaryFolder(), 'recipe.ts')
    writeFileSync(file, `import { work } from '${work.href}'\n${code}`)
    const env = { NODE_OPTIONS: `--no-warnings --import ${ownName.href}`, WORK: works }
    const child = startChild(pathToFileURL(file), { env })
    await child.hear('inside')
    return child
  }

  const stop = (child: Child): void => {
    process.kill(child.pid ?? NaN, 'SIGTERM')
  }

  const lock = () => clients.mine.getLock('orders')

  const next = () => lock().withLock(() => undefined)

  it('lets the section end, and the next process in before the lease ends', async () => {
    await using child = await start('ends 800')
    const waiting = next()
    stop(child)
    await child.hear('ended')
    await waiting
    expect(await child.exited).toEqual({ code: 0, signal: null })
    await expect(child.hear('aborted')).rejects.toThrow('ended before')
    expect(child.output).toBe('')
  })

  it.each(['obeys', 'ignores'])(
    'frees the lock of a section that does not end and %s its signal',
    async (kind) => {
      await using child = await start(`${kind} 600000`, [['20_000', '200']])
      const waiting = next()
      stop(child)
      expect(await child.hear('aborted')).toMatchObject({ code: 'LOCK_LOST' })
      await waiting
      expect(await child.exited).toEqual({ code: 0, signal: null })
      expect(child.output).toBe('')
    },
  )

  it('leaves it to the lease if it shall not be released', async () => {
    const changes: Change[] = [
      ['20_000', '200'],
      ['release: true', 'release: false'],
    ]
    await using child = await start('ignores 600000', changes, 6_000)
    stop(child)
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(await lock().isLocked()).toBe(true)
    await eventually(async () => !(await lock().isLocked()))
    expect(child.output).toBe('')
  })
})
