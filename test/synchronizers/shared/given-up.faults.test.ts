import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import type { Code } from '../../../src/command/operation/script.js'
import * as permitScripts from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import * as rateScripts from '../../../src/synchronizers/rate-limiter/rate-limiter.scripts.js'
import * as semaphoreScripts from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import type { Passing } from '../../support/proxy/trap.js'
import { single } from '../../support/topologies.js'

/** A request is sent once, and a copy of it counts as under way for a quarter of a second. */
const SETTINGS = { timeout: 200, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 0 }

/** Longer than a request may be under way or is usually remembered, and shorter than an answered one is. */
const AWAY_MS = 600

/** Two permits of something: how they are taken by a caller who may give up, and how given back. */
interface Kind {
  readonly what: string
  readonly acquire: Code
  /** The scripts that give back: after an answer, and where no answer tells. */
  readonly release: Code
  readonly undo: Code
  readonly set: (client: RedissonClient, name: string) => Promise<unknown>
  readonly take: (client: RedissonClient, name: string, signal: AbortSignal) => Promise<unknown>
  readonly free: (client: RedissonClient, name: string) => Promise<number>
  readonly remove: (client: RedissonClient, name: string) => Promise<unknown>
}

const kinds: readonly Kind[] = [
  {
    what: 'a semaphore',
    acquire: semaphoreScripts.acquire,
    release: semaphoreScripts.release,
    undo: semaphoreScripts.undo,
    set: (client, name) => client.getSemaphore(name).trySetPermits(2),
    take: (client, name, signal) => client.getSemaphore(name).acquire({ permits: 2, signal }),
    free: (client, name) => client.getSemaphore(name).availablePermits(),
    remove: (client, name) => client.getSemaphore(name).delete(),
  },
  {
    what: 'a semaphore whose permits can expire',
    acquire: permitScripts.acquire,
    release: permitScripts.release,
    undo: permitScripts.undo,
    set: (client, name) => client.getPermitExpirableSemaphore(name).trySetPermits(2),
    take: (client, name, signal) => client.getPermitExpirableSemaphore(name).acquireMany(2, { signal }),
    free: (client, name) => client.getPermitExpirableSemaphore(name).availablePermits(),
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
  },
  {
    what: 'a rate limiter',
    acquire: rateScripts.acquire,
    release: rateScripts.undo,
    undo: rateScripts.undo,
    set: (client, name) => client.getRateLimiter(name).trySetRate('OVERALL', 2, 600_000),
    take: (client, name, signal) => client.getRateLimiter(name).acquire({ permits: 2, signal }),
    free: (client, name) => client.getRateLimiter(name).availablePermits(),
    remove: (client, name) => client.getRateLimiter(name).delete(),
  },
]

describe.each(kinds)('what is taken of $what for a caller who gives up', (kind) => {
  const [acquire, release, undo] = [kind.acquire.sha, kind.release.sha, kind.undo.sha]
  let door: Proxied<typeof single>
  let proxy: TcpProxy
  let client: RedissonClient
  let straight: RedissonClient
  let giveUp: AbortController
  let names = 0
  let name: string

  noLeaks(single)

  beforeAll(async () => {
    straight = await Redisson.create(single.options())
    for (const { source } of [kind.acquire, kind.release, kind.undo])
      await single.nodes[0].command('SCRIPT', 'LOAD', source) // so that each request is sent once
  })

  beforeEach(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    client = await Redisson.create({ ...door.options(SETTINGS), connectWaitMs: 20_000 })
    giveUp = new AbortController()
    name = `given-up-${String(names++)}`
    await kind.set(straight, name)
  })

  afterEach(async () => {
    await proxy.heal()
    await client.shutdown()
    await kind.remove(straight, name)
    await door.stop()
  })

  afterAll(() => straight.shutdown())

  /** Gives the server more time to answer, where nothing depends on how little that is. */
  const bePatient = async () => {
    await client.shutdown()
    client = await Redisson.create(door.options({ ...SETTINGS, timeout: 5_000 }))
  }

  const take = () => kind.take(client, name, giveUp.signal)
  const free = () => kind.free(straight, name)

  const abort = () => {
    giveUp.abort(new Error('enough'))
  }

  /** Takes the network away, along with what was about to pass. */
  const goAway = () => {
    proxy.refuse()
    proxy.cut()
  }

  /** Brings the network back after a while; resolves when something that gives back has been answered. */
  const comeBack = async () => {
    await sleep(AWAY_MS)
    const answered = proxy.onReply(new RegExp(`${release}|${undo}`, 'i')).happened
    await proxy.accept()
    await answered
  }

  /** What the executor does as soon as the acquisition is answered, at the worst moment. */
  const forgetRequests = async () => {
    const [node] = single.nodes
    const keys = (await node.command('KEYS', 'redisson_unlock_latch:*')) as string[]
    if (keys.length > 0) await node.command('UNLINK', ...keys)
  }

  /** Has the caller give up when the answer is lost. */
  const loseAnswerAnd = (act: (passing: Passing) => void) =>
    proxy.onReply(acquire, (passing) => {
      abort()
      act(passing)
    }).happened

  it('comes back when the answer arrives after that', async () => {
    await bePatient()
    proxy.onReply(acquire, abort)
    await expect(take()).rejects.toThrow('enough')
    await eventually(async () => (await free()) === 2)
  })

  it('comes back when the answer is lost after that', async () => {
    await bePatient()
    proxy.onReply(acquire, (passing) => {
      abort()
      passing.cut()
    })
    await expect(take()).rejects.toThrow('enough')
    await eventually(async () => (await free()) === 2)
  })

  it('comes back when the reply is lost, without giving up', async () => {
    await bePatient()
    proxy.loseReplyTo(acquire)
    await expect(take()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await eventually(async () => (await free()) === 2)
  })

  it(
    'comes back once when the answer to the giving back is lost, and the network for longer than usual requests live',
    { tags: ['timed'] },
    async () => {
      proxy.onReply(acquire, abort)
      const lost = proxy.onReply(release, goAway).happened
      await expect(take()).rejects.toThrow('enough')
      await lost
      await comeBack()
      expect(await free()).toBe(2)
    },
  )

  it(
    'comes back when the giving back does not arrive, and the acquisition is forgotten first',
    { tags: ['timed'] },
    async () => {
      proxy.onReply(acquire, abort)
      const lost = proxy.onRequest(release, async () => {
        await forgetRequests()
        goAway()
      }).happened
      await expect(take()).rejects.toThrow('enough')
      await lost
      await comeBack()
      expect(await free()).toBe(2)
    },
  )

  it('comes back once when the giving back comes late, after a copy of it', { tags: ['timed'] }, async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    proxy.onReply(acquire, abort)
    proxy.onRequest(release, () => over)
    await expect(take()).rejects.toThrow('enough')
    await eventually(async () => (await free()) === 2)
    const late = proxy.onReply(release).happened
    end()
    await late
    expect(await free()).toBe(2)
  })

  it(
    'comes back once when the answer to the undoing is lost, and the network for longer than usual requests live',
    { tags: ['timed'] },
    async () => {
      const lost = loseAnswerAnd((passing) => {
        passing.cut()
      })
      const undone = proxy.onReply(undo, goAway).happened
      await expect(take()).rejects.toThrow('enough')
      await lost
      await undone
      await comeBack()
      expect(await free()).toBe(2)
    },
  )

  it('comes back once when the undoing does not arrive', { tags: ['timed'] }, async () => {
    const lost = loseAnswerAnd(goAway)
    await expect(take()).rejects.toThrow('enough')
    await lost
    await comeBack()
    expect(await free()).toBe(2)
  })

  describe('before the shutdown ends', () => {
    let shutDown: Promise<void> | undefined

    beforeEach(bePatient) // for as long the shutdown waits

    const beginShutdown = () => {
      shutDown = client.shutdown()
    }

    it('comes back when the answer arrives meanwhile', async () => {
      proxy.onReply(acquire, beginShutdown)
      await expect(take()).rejects.toMatchObject({ code: 'CLOSED' })
      await shutDown
      expect(await free()).toBe(2)
    })

    it('comes back when the answer gets lost meanwhile', async () => {
      proxy.onReply(acquire, (passing) => {
        beginShutdown()
        passing.cut()
      })
      await expect(take()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
      await shutDown
      expect(await free()).toBe(2)
    })

    it('comes back once when the answer to the giving back gets lost meanwhile', async () => {
      proxy.onReply(acquire, abort)
      const lost = proxy.onReply(release, (passing) => {
        beginShutdown()
        passing.cut()
      }).happened
      await expect(take()).rejects.toThrow('enough')
      await lost
      await shutDown
      expect(await free()).toBe(2)
    })
  })
})
