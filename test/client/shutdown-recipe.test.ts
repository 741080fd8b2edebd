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

/** Longer than a starved machine needs, and shorter than the lease of the watchdog. */
const AT_ONCE_MS = 15_000

describe('the recipe for SIGTERM', () => {
  const clients = twoClients(single)
  noLeaks(single, { except: /^redisson_unlock_latch:/ })

  /** Runs the recipe as a process of its own; it is inside its critical section then. */
  const start = async (works: string, ...changes: Change[]): Promise<Child> => {
    const [recipe] = blocksOf('docs/guide/shutting-down.md').filter(({ code }) => code.includes('SIGTERM'))
    const all: Change[] = [[CONNECTED, `'${HERE}'`], ...changes]
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

  /** Waits for the lock, and tells whether it came long before a lease would have ended. */
  const next = async (): Promise<boolean> => {
    const begin = performance.now()
    await lock().withLock(() => undefined)
    return performance.now() - begin < AT_ONCE_MS
  }

  it('lets the section end, and the next process in at once', async () => {
    await using child = await start('ends 800')
    const waiting = next()
    stop(child)
    await child.hear('ended')
    expect(await waiting).toBe(true)
    expect(await child.exited).toEqual({ code: 0, signal: null })
    await expect(child.hear('aborted')).rejects.toThrow('ended before')
    expect(child.output).toBe('')
  })

  it.each(['obeys', 'ignores'])(
    'frees the lock of a section that does not end and %s its signal',
    async (kind) => {
      await using child = await start(`${kind} 600000`, ['20_000', '200'])
      const waiting = next()
      stop(child)
      expect(await child.hear('aborted')).toMatchObject({ code: 'LOCK_LOST' })
      expect(await waiting).toBe(true)
      expect(await child.exited).toEqual({ code: 0, signal: null })
      expect(child.output).toBe('')
    },
  )

  it('leaves it to the lease if it shall not be released', async () => {
    const briefly = `{ singleServerConfig: { address: '${HERE}' }, lockWatchdogTimeout: 6_000 }`
    await using child = await start(
      'ignores 600000',
      [`'${HERE}'`, briefly],
      ['20_000', '200'],
      ['release: true', 'release: false'],
    )
    stop(child)
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(await lock().isLocked()).toBe(true)
    await eventually(async () => !(await lock().isLocked()))
    expect(child.output).toBe('')
  })
})
