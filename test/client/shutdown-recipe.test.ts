import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../prose/snippets.js'
import { startChild, type Child } from '../support/child.js'
import { twoClients } from '../support/clients.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/launch/guard.js'
import { freePorts } from '../support/launch/free-ports.js'
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

/** Runs a block of the guide as a process of its own, whose critical section does what `WORK` says. */
const startRecipe = (page: string, works: string, changes: readonly Change[]): Child => {
  const [recipe] = blocksOf(page).filter(({ code }) => code.includes('SIGTERM'))
  const code = changes.reduce((text, [said, meant]) => {
    expect(text).toContain(said)
    return text.replace(said, meant)
  }, recipe?.code ?? '')
  const file = join(temporaryFolder(), 'recipe.ts')
  writeFileSync(file, `import { work } from '${work.href}'\n${code}`)
  const env = { NODE_OPTIONS: `--no-warnings --import ${ownName.href}`, WORK: works }
  return startChild(pathToFileURL(file), { env })
}

const stop = (child: Child): void => {
  process.kill(child.pid ?? NaN, 'SIGTERM')
}

describe('the recipe for SIGTERM', () => {
  const clients = twoClients(single)
  noLeaks(single)

  /** Runs the recipe as a process of its own; it is inside its critical section then. */
  const start = async (works: string, changes: Change[] = [], leaseMs = NEVER_MS): Promise<Child> => {
    const all: Change[] = [[CONNECTED, leasing(leaseMs)], ...changes]
    const child = startRecipe('docs/guide/shutting-down.md', works, all)
    await child.hear('inside')
    return child
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

describe('the server of the guide', () => {
  noLeaks(single)

  const LISTENING =
    "listen(0, () => console.log(JSON.stringify({ event: 'listening', port: server.address().port })))"

  const NO_PAUSE: Change = ['sleep(5_000)', 'sleep(0)']

  const start = async (works: string, times: readonly Change[] = [NO_PAUSE], address = HERE) => {
    const changes: Change[] = [
      ["'redis://127.0.0.1:6379', timeout: 500", `'${address}'`], // a busy machine is not quick
      ['listen(8080)', LISTENING],
      ...times,
    ]
    const child = startRecipe('docs/guide/http-services.md', works, changes)
    return { child, port: Number((await child.hear('listening'))['port']) }
  }

  /** The status of a reply; undefined if nobody replies any more. */
  const ask = (port: number, agent: Agent, path = '/'): Promise<number | undefined> =>
    new Promise((resolve) => {
      request({ host: '127.0.0.1', port, agent, path }, (response) => {
        response.resume().once('end', () => {
          resolve(response.statusCode)
        })
      })
        .once('error', () => {
          resolve(undefined)
        })
        .end()
    })

  it('ends, though a client goes on sending over a connection that is kept alive', async () => {
    const { child, port } = await start('ends 500')
    await using stopped = child
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    void stopped.hear('inside').then(() => {
      stop(stopped)
    })
    const replies: (number | undefined)[] = []
    do replies.push(await ask(port, agent))
    while (replies.at(-1) !== undefined)
    agent.destroy()
    expect(new Set(replies)).toEqual(new Set([200, undefined]))
    expect(await stopped.exited).toEqual({ code: 0, signal: null })
    expect(stopped.output).toBe('')
  })

  it('is not ready any more in the pause, and serves requests nevertheless', async () => {
    const { child, port } = await start('ends 0', [['sleep(5_000)', 'sleep(600_000)']])
    await using stopped = child
    const agent = new Agent()
    await eventually(async () => (await ask(port, agent, '/readyz')) === 200)
    stop(stopped)
    await eventually(async () => (await ask(port, agent, '/readyz')) === 503)
    expect(await ask(port, agent)).toBe(200)
    agent.destroy()
  })

  it('cuts off a request that does not end, and ends', async () => {
    const { child, port } = await start('ignores 600000', [
      NO_PAUSE,
      ['closeServer(10_000)', 'closeServer(100)'],
      ['drainMs: 5_000', 'drainMs: 100'],
    ])
    await using stopped = child
    const agent = new Agent()
    const reply = ask(port, agent)
    await stopped.hear('inside')
    stop(stopped)
    expect(await reply).toBeUndefined()
    expect(await stopped.hear('aborted')).toMatchObject({ code: 'LOCK_LOST' })
    expect(await stopped.exited).toEqual({ code: 0, signal: null })
    agent.destroy()
  })

  it('starts while Redis is away, and says that it is not ready', async () => {
    const [nowhere = NaN] = await freePorts(1)
    const { child, port } = await start('ends 0', [NO_PAUSE], `redis://127.0.0.1:${nowhere}`)
    await using stopped = child
    const agent = new Agent()
    expect(await ask(port, agent, '/livez')).toBe(200)
    expect(await ask(port, agent, '/readyz')).toBe(503)
    expect(await ask(port, agent)).toBe(503)
    stop(stopped)
    expect(await stopped.exited).toEqual({ code: 0, signal: null })
    agent.destroy()
  })
})
