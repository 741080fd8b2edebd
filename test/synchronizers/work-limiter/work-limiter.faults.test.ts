import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RWorkLimiter } from '../../../src/index.js'
import * as scripts from '../../../src/synchronizers/work-limiter/work-limiter.scripts.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike, type Fault } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'
import { Gate } from './gate.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** Of a lease that ends during a test. */
const BRIEF_MS = 600

const HOUR_MS = 3_600_000
const CELL = HOUR_MS * 1000
/** What drains in that time. */
const MILLISECOND = 1000
/** So slow that nothing drains during a test, but for a moment. */
const RATE = { limit: 1, perMs: HOUR_MS, burst: 9 }
const reason = new Error('no longer wanted')

const LOST = { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string }

describe('a work limiter', () => {
  noLeaks(single)
  let topology: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  /** The same with a lease that ends soon. */
  let brief: RedissonClient
  /** The same, which sends each request once. */
  let once: RedissonClient
  /** Past the proxy. */
  let other: RedissonClient
  let tests = 0
  let name = ''
  let gate: Gate

  beforeAll(async () => {
    topology = await proxied(single)
    client = await Redisson.create(topology.options(SETTINGS))
    once = await Redisson.create(topology.options({ ...SETTINGS, retryAttempts: 0 }))
    brief = await Redisson.create({ ...topology.options(SETTINGS), lockWatchdogTimeout: BRIEF_MS })
    other = await Redisson.create(single.options())
    for (const { source } of Object.values(scripts)) await single.nodes[0].command('SCRIPT', 'LOAD', source)
  })
  beforeEach(() => {
    tests += 1
    name = `work-faults-${String(tests)}`
    gate = new Gate()
  })
  afterEach(async () => {
    for (const proxy of topology.proxies) {
      proxy.resume()
      await proxy.accept()
    }
    await eventually(async () => {
      await Promise.all([client.ping(), once.ping(), brief.ping()])
    })
    await past().reset()
  })
  afterAll(async () => {
    await Promise.all([client, once, brief, other].map((each) => each.shutdown()))
    await topology.stop()
  })

  const of = (owner: RedissonClient, concurrency = 1): RWorkLimiter =>
    owner.getWorkLimiter(name, { concurrency, rate: RATE })
  const past = () => of(other)
  /**
   * How many cells are used. What has drained meanwhile is less than one. Places know whole milliseconds, so what is given back may be less
   * than a cell by what drains in one.
   */
  const used = async () => {
    const text = (await single.nodes[0].command('GET', `ioredisson_work_rate:{${name}}`)) as string | null
    return Math.ceil(Math.max(0, Number(text?.split(':')[1] ?? 0) - MILLISECOND) / CELL)
  }
  const isFree = (cells: number) =>
    eventually(async () => {
      expect(await past().counts()).toEqual({ running: 0, waitingProcesses: 0, queued: 0 })
      expect(await used()).toBe(cells)
    })
  const struckBy = (sha: string, fault: Fault) => strike(topology.proxies, sha, fault).struck

  describeFaults('whose request %s', TIMEOUT_MS, (...fault) => {
    it('begins a function once, and uses one cell', async () => {
      const struck = struckBy(scripts.ask.sha, fault)
      let begun = 0
      expect(
        await of(client, 2).run(async () => {
          begun += 1
          return (await past().counts()).running
        }),
      ).toBe(1)
      await struck
      expect(begun).toBe(1)
      await isFree(1)
    })

    it('gives a place back', async () => {
      const struck = struckBy(scripts.giveBack.sha, fault)
      expect(await of(client).run(() => 7)).toBe(7)
      await struck
      await isFree(1)
    })

    it('gives a place back to those who wait in the same client', async () => {
      const limiter = of(client)
      const first = limiter.run(gate.task('first'))
      await eventually(() => gate.running === 1)
      const second = limiter.run(() => 2)
      await eventually(async () => (await past().counts()).waitingProcesses === 1)
      const struck = struckBy(scripts.giveBack.sha, fault)
      gate.letAll()
      expect(await second).toBe(2)
      await Promise.all([first, struck])
      await isFree(2)
    })

    it('leaves nothing of those that give up', async () => {
      const running = past().run(gate.task('first'))
      await eventually(() => gate.running === 1)
      const controller = new AbortController()
      const waiting = of(client).run(() => 1, { signal: controller.signal })
      await eventually(async () => (await past().counts()).waitingProcesses === 1)
      const struck = struckBy(scripts.leave.sha, fault)
      controller.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      await struck
      gate.letAll()
      await running
      await isFree(1)
    })

    it('keeps a place while its function runs', async () => {
      const struck = struckBy(scripts.renew.sha, fault)
      await of(brief).run(async ({ signal }) => {
        await struck
        expect(signal.aborted).toBe(false)
        expect((await past().counts()).running).toBe(1)
      })
      await isFree(1)
    })
  })

  it.each([
    ['is lost', 'reply'],
    ['does not arrive', 'request'],
  ] as const)('leaves neither place nor cell of a request that %s and is not repeated', async (_, moment) => {
    const struck = struckBy(scripts.ask.sha, ['is cut off', moment, (passing) => passing.cut()])
    await expect(of(once).run(() => 1)).rejects.toMatchObject({ ...LOST, mayHaveRun: true })
    await struck
    await isFree(0)
  })

  it('leaves neither place nor cell of a request that fails after it has taken them', async () => {
    const [server] = single.nodes
    await server.command('ACL', 'SETUSER', 'works', 'reset', 'on', '>secret', '~*', '&*', '+@all', '-pexpire')
    const refused = await Redisson.create(single.options({ username: 'works', password: 'secret' }))
    await past().run(() => 1)
    for (const options of [{}, { waitMs: 0 }]) {
      await expect(of(refused).run(() => 1, options)).rejects.toMatchObject({
        code: 'SCRIPT',
        mayHaveRun: true,
      })
      await isFree(1)
    }
    await refused.shutdown()
    await server.command('ACL', 'DELUSER', 'works')
  })

  it('gives back place and cell of a function whose caller gave up before the reply', async () => {
    const controller = new AbortController()
    const held = Promise.withResolvers<void>()
    const struck = struckBy(scripts.ask.sha, ['is held', 'reply', () => held.promise])
    const waiting = of(client).run(() => 1, { signal: controller.signal })
    await struck
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    held.resolve()
    await isFree(0)
  })

  it('gives back what was granted for a client that was shut down meanwhile', async () => {
    const leaving = await Redisson.create(topology.options(SETTINGS))
    const held = Promise.withResolvers<void>()
    const struck = struckBy(scripts.ask.sha, ['is held', 'reply', () => held.promise])
    const waiting = expect(of(leaving).run(() => 1)).rejects.toMatchObject({ code: 'CLOSED' })
    await struck
    const closed = leaving.shutdown()
    held.resolve()
    await Promise.all([waiting, closed])
    await isFree(0)
  })

  it('begins what waits after its connections were cut, though a place became free meanwhile', async () => {
    const running = past().run(gate.task('first'))
    await eventually(() => gate.running === 1)
    const waiting = of(client).run(() => 2)
    await eventually(async () => (await past().counts()).waitingProcesses === 1)
    for (const proxy of topology.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    gate.letAll()
    await running
    for (const proxy of topology.proxies) await proxy.accept()
    expect(await waiting).toBe(2)
    await isFree(2)
  })

  it('says that Redis cannot be reached, and not that there is no place', async () => {
    for (const proxy of topology.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await expect(of(client).run(() => 1, { waitMs: 50 })).rejects.toMatchObject(LOST)
    await expect(of(once).run(() => 1)).rejects.toMatchObject(LOST)
  })

  it('aborts a signal before another function begins in the place', async () => {
    let isAborted = false
    const lost = of(brief).run(async ({ signal }) => {
      for (const proxy of topology.proxies) proxy.stall()
      await untilAborted(signal)
      isAborted = true
      return signal.reason as unknown
    })
    await eventually(async () => (await past().counts()).running === 1)
    expect(await past().run(() => isAborted)).toBe(true)
    for (const proxy of topology.proxies) proxy.resume()
    expect(await lost).toMatchObject({ code: 'WORK_LOST', reason: 'expired', limiter: name })
    await isFree(2)
  })

  it('returns when its function does, though its place cannot be given back in time', async () => {
    const delayed: string[] = []
    const patient = await Redisson.create({ ...topology.options(SETTINGS), releaseWaitMs: 50 })
    patient.on('releaseDelayed', ({ name: which, kind }) => delayed.push(`${kind} ${which}`))
    const held = Promise.withResolvers<void>()
    const struck = struckBy(scripts.giveBack.sha, ['is held', 'request', () => held.promise])
    expect(await of(patient).run(() => 7)).toBe(7)
    await struck
    expect(delayed).toEqual([`work ${name}`])
    held.resolve()
    await isFree(1)
    await patient.shutdown()
  })
})
