import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single, topologies } from '../../support/topologies.js'
import { Taking } from './taking.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

describe.each(topologies)('changes of keys over a network that fails, at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let taking: Taking
  let names = 0
  let key: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    taking = await Taking.at(door.options(PATIENT))
  })

  beforeEach(() => {
    key = `{changed-${String(names++)}}`
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await taking[Symbol.asyncDispose]()
    await door.stop()
  })

  const push = (...elements: readonly string[]) => askOwner(topology, key, 'RPUSH', ...elements)
  const waiting = () => eventually(() => taking.isWaiting(key))

  it('are not missed while the connections are away', async () => {
    for (let round = 0; round < 10; round += 1) {
      const taken = taking.take(key)
      await waiting()
      for (const proxy of door.proxies) {
        proxy.refuse()
        proxy.cut()
      }
      await push(String(round))
      for (const proxy of door.proxies) await proxy.accept()
      expect(await taken).toBe(String(round))
    }
  })

  it('are heard also after only one of the two connections has come anew', async () => {
    for (const subscribed of [true, false, true, false]) {
      const taken = taking.take(key)
      await waiting()
      for (const { connections } of door.proxies)
        for (const connection of connections) if (connection.subscribed === subscribed) connection.cut()
      await sleep(50) // both before and after the connection is there again
      await push('a')
      expect(await taken).toBe('a')
    }
  })

  it('are heard when the reply to the reading comes after the change', async () => {
    const pushed = Promise.withResolvers<undefined>()
    const traps = door.proxies.map((proxy) =>
      proxy.onReply(
        (request) => request === `exists ${key}`,
        async () => {
          await push('a')
          await sleep(100) // so that the change is heard of first
          pushed.resolve(undefined)
        },
      ),
    )
    const both = [taking.take(key), taking.take(key)] as const
    await pushed.promise
    expect(await Promise.race(both)).toBe('a')
    await sleep(100) // the other one has looked for another element
    await push('b')
    expect((await Promise.all(both)).sort()).toEqual(['a', 'b'])
    for (const trap of traps) trap[Symbol.dispose]()
  })

  it('wake before the key is read again', async () => {
    const taken = taking.take(key)
    await waiting()
    const traps = door.proxies.map((proxy) =>
      proxy.onReply(
        (request) => request === `exists ${key}`,
        (reply) => {
          reply.swallow()
        },
      ),
    )
    await push('a')
    expect(await taken).toBe('a')
    for (const trap of traps) trap[Symbol.dispose]()
  })

  it('are heard by those who wait while the network is silent for a while', async () => {
    const taken = taking.take(key)
    await waiting()
    for (const proxy of door.proxies) proxy.stall()
    await push('a')
    await sleep(100)
    for (const proxy of door.proxies) proxy.resume()
    expect(await taken).toBe('a')
  })
})

describe('the taking of an element over a connection that breaks', () => {
  noLeaks(single)

  /** What a take sends and receives in some hundred bytes is cut at each of them, by several clients at the same time. */
  const CLIENTS = 4

  it.each(['requests', 'replies'] as const)(
    'at any byte of its %s: loses no element, and has none twice',
    async (direction) => {
      const lengths = await Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => cutEverywhere(direction, client)),
      )
      expect(Math.min(...lengths)).toBeGreaterThan(100) // or nothing was cut
    },
    120_000,
  )

  /** Cuts at every byte that belongs to one of the clients. Returns at which one nothing was left to cut. */
  async function cutEverywhere(direction: 'requests' | 'replies', client: number): Promise<number> {
    const key = `cut-${direction}-${String(client)}`
    const door = await proxied(single)
    const proxy = door.proxyOf(single.nodes[0])
    const taking = await Taking.at(door.options(PATIENT))
    let byte = client
    for (; !proxy.cuts; byte += CLIENTS) {
      proxy.cutAfter(byte, direction)
      expect(await takeTwo(taking, key), `cut after ${String(byte)} bytes`).toEqual(['a', 'b'])
      expect(await askOwner(single, key, 'EXISTS')).toBe(0)
    }
    await taking[Symbol.asyncDispose]()
    await door.stop()
    return byte
  }

  /** Takes one element that is waited for, and one that is there. */
  async function takeTwo(taking: Taking, key: string): Promise<unknown[]> {
    const first = taking.take(key)
    await eventually(() => taking.isWaiting(key))
    await askOwner(single, key, 'RPUSH', 'a')
    const a = await first
    await askOwner(single, key, 'RPUSH', 'b')
    return [a, await taking.take(key)]
  }
})

describe('changes of keys that Redis does not tell of', () => {
  const [server] = single.nodes

  noLeaks(single)

  const login = async (...rights: readonly string[]): Promise<Taking> => {
    await server.command('ACL', 'SETUSER', 'limited', 'reset', 'on', '>secret', '~*', ...rights)
    return await Taking.at(single.options({ username: 'limited', password: 'secret' }))
  }

  afterEach(() => server.command('ACL', 'DELUSER', 'limited'))

  it('reject those who wait for a key without the right to it', async () => {
    const taking = await login('+@all', 'allchannels', 'resetkeys', '~others:*')
    for (let round = 0; round < 3; round += 1)
      await expect(taking.take('unheard')).rejects.toMatchObject({
        code: 'COMMAND',
        message: expect.stringContaining('NOPERM'),
      })
    await taking[Symbol.asyncDispose]()
  })

  it.each([
    ['a user without the right to them', ['+@all', '-client|tracking', 'allchannels']],
    ['one without the right to their channel', ['+@all', 'resetchannels']],
  ])('are done without, by looking again now and then: %s', async (_, rights) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const taking = await login(...rights)
    const giveUp = new AbortController()
    const taken = taking.take('unheard', { signal: giveUp.signal })
    await eventually(() => taking.isWaiting('unheard'))
    giveUp.abort(new Error('enough'))
    await expect(taken).rejects.toThrow('enough')
    for (const [, options] of warn.mock.calls) expect(options).toEqual({ code: 'REDISSON_NO_KEY_TRACKING' }) // once for each server
    warn.mockRestore()
    await taking[Symbol.asyncDispose]()
  })
})
