import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { begin, collect, reply } from '../../../src/counters/adder/adder.scripts.js'
import { ClientClosedError, Redisson, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** What is kept of requests that were given up, until it expires. */
const GIVEN_UP = /:[0-9a-f]{32}:(counter|semaphore)$/

describe.each([single, cluster])('an adder whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name: string

  noLeaks(topology, {
    except: GIVEN_UP,
  })

  const heal = async () => {
    for (const proxy of door.proxies) proxy.resume('both', { held: 'dropped' })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  }

  const cutMessages = () => {
    for (const { connections } of door.proxies)
      for (const connection of connections) if (connection.subscribed) connection.cut()
  }

  /** Both have added something, and are in each other's sums. */
  const added = async () => {
    const mine = client.getLongAdder(name)
    const theirs = straight.getLongAdder(name)
    mine.add(1)
    theirs.add(20)
    await eventually(async () => (await theirs.sum()) === 21)
    const destroy = async () => {
      await mine.destroy()
      await theirs.destroy()
    }
    return { mine, theirs, [Symbol.asyncDispose]: destroy }
  }

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `lost-adder-${topology.kind}-${String(names++)}`
  })

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('in a request that %s', TIMEOUT_MS, (...fault) => {
    it.each([
      ['asks', begin],
      ['replies', reply],
      ['collects', collect],
    ])('has everything once where it %s', async (_, script) => {
      await using adders = await added()
      const { struck } = strike(door.proxies, script.sha, fault)
      expect(await adders.mine.sum()).toBe(21)
      await struck
      expect(await adders.theirs.sum()).toBe(21)
    })

    it('begins anew with all clients', async () => {
      await using adders = await added()
      const { struck } = strike(door.proxies, begin.sha, fault)
      await adders.mine.reset()
      await struck
      expect(await adders.theirs.sum()).toBe(0)
    })
  })

  it('says of a reset that was refused whether clients may have begun anew', async () => {
    await using adders = await added()
    const refuse = ({ sha }: { readonly sha: string }) => {
      for (const proxy of door.proxies)
        proxy.onRequest(sha, (passing) => passing.refuse('NOPERM this user has no permissions'))
    }
    refuse(begin)
    await expect(adders.mine.reset()).rejects.toMatchObject({ mayHaveRun: false })
    await heal()
    expect(await adders.theirs.sum()).toBe(21)
    refuse(collect)
    await expect(adders.mine.sum()).rejects.toMatchObject({ mayHaveRun: false })
    await heal()
    refuse(collect)
    await expect(adders.mine.reset()).rejects.toMatchObject({ mayHaveRun: true })
    await heal()
    expect(await adders.theirs.sum()).toBe(0)
  })

  it('has everything once after any number of interruptions', { timeout: 60_000 }, async () => {
    await using adders = await added()
    for (let times = 1; times <= 10; times += 1) {
      cutMessages()
      adders.mine.add(1)
      expect(await adders.mine.sum()).toBe(21 + times)
    }
    await eventually(async () => (await adders.theirs.sum()) === 31)
  })

  it('gives up after the time of its caller, or when that gives up, where a client is frozen', async () => {
    await using adders = await added()
    for (const proxy of door.proxies)
      proxy.onRequest(reply.sha, (passing) => passing.freeze(), { times: Infinity })
    const timeout = { code: 'ADDER_TIMEOUT', object: name, waitMs: 100, mayHaveRun: true }
    await expect(adders.theirs.sum({ waitMs: 100 })).rejects.toMatchObject(timeout)
    await expect(adders.theirs.reset({ waitMs: 100 })).rejects.toMatchObject(timeout)
    const giveUp = new AbortController()
    const sum = adders.theirs.sum({ signal: giveUp.signal })
    giveUp.abort(new Error('enough'))
    await expect(sum).rejects.toThrow('enough')
    await expect(adders.theirs.sum({ signal: giveUp.signal })).rejects.toThrow('enough')
    await heal()
    for (const node of topology.nodes)
      for (const key of (await node.command('KEYS', `*${name}*`)) as string[])
        expect(await askOwner(topology, key, 'PTTL')).not.toBe(-1)
  })
})

describe('an adder that asks a client which does not reply', () => {
  noLeaks(single, { except: GIVEN_UP })
  const [server] = single.nodes
  let client: RedissonClient

  /** A client that was asked, and has ended or is frozen then. */
  const silent = async (name: string) => {
    const listener = new Redis(server.port, server.host)
    await listener.subscribe(`{${name}}:adder-topic`)
    const asked = new Promise<void>((resolve) => {
      listener.once('message', () => {
        resolve()
      })
    })
    return { listener, asked }
  }

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await client.shutdown()
  })

  it('has the sum of the others once that client has ended', async () => {
    await using adder = client.getLongAdder('without-dead')
    adder.add(5)
    expect(await adder.sum()).toBe(5)
    const { listener, asked } = await silent('without-dead')
    const sum = adder.sum()
    await asked
    listener.disconnect()
    expect(await sum).toBe(5)
    expect(await adder.sum()).toBe(5)
  })

  it('says that a reset may have run which failed after clients were asked, and of the reason of a signal nothing', async () => {
    const name = 'half-reset'
    const adder = client.getLongAdder(name)
    const { listener, asked } = await silent(name)
    const controller = new AbortController()
    const reason = new ClientClosedError()
    const resetting = adder.reset({ signal: controller.signal })
    await asked
    controller.abort(reason)
    await expect(resetting).rejects.toBe(reason)
    expect(reason.mayHaveRun).toBe(false)

    const closing = await Redisson.create(single.options())
    const again = new Promise<void>((resolve) => {
      listener.once('message', () => {
        resolve()
      })
    })
    const ended = expect(closing.getLongAdder(name).reset()).rejects.toMatchObject({
      code: 'CLOSED',
      mayHaveRun: true,
    })
    await again
    await closing.shutdown()
    await ended
    listener.disconnect()
  })

  it('gets a sum once, although it asks several times', async () => {
    await using adder = client.getLongAdder('several-rounds')
    await using other = await Redisson.create(single.options())
    adder.add(5)
    other.getLongAdder('several-rounds').add(70)
    await eventually(async () => (await adder.sum()) === 75)
    const { listener, asked } = await silent('several-rounds')
    let rounds = 0
    listener.on('message', () => {
      rounds += 1
    })
    const sum = adder.sum()
    await asked
    await eventually(() => rounds >= 1, { what: 'all are asked anew' })
    listener.disconnect()
    expect(await sum).toBe(75)
  })

  it('leaves only keys that expire where it gives up', { tags: ['timed'] }, async () => {
    const { listener } = await silent('with-frozen')
    await expect(client.getLongAdder('with-frozen').sum({ waitMs: 50 })).rejects.toMatchObject({
      code: 'ADDER_TIMEOUT',
    })
    listener.disconnect()
    const keys = (await server.command('KEYS', '{with-frozen}:*')) as string[]
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Number(await server.command('PTTL', key))).toBeGreaterThan(0)
  })
})

describe('an adder whose user may not listen', () => {
  noLeaks(single)
  const [server] = single.nodes
  const user = 'adder-without-channels'
  const [username, password] = [user, user]
  let deaf: RedissonClient

  beforeAll(async () => {
    await server.command('ACL', 'SETUSER', user, 'on', `>${user}`, '~*', 'resetchannels', '+@all')
    const address = `redis://${server.host}:${String(server.port)}`
    deaf = await Redisson.create({ singleServerConfig: { address, username, password } })
  })

  afterAll(async () => {
    await deaf.shutdown()
    await server.command('ACL', 'DELUSER', user)
  })

  it('warns once, rejects its sums, and is in all sums once the user may', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    try {
      await using adder = deaf.getLongAdder('deaf-adder')
      adder.add(1)
      adder.add(2)
      const refused = { message: expect.stringMatching(/NOPERM|can't publish/) as string }
      const other = deaf.getLongAdder('deaf-other')
      for (const call of [() => adder.sum(), () => adder.sum(), () => adder.reset(), () => other.sum()])
        await expect(call()).rejects.toMatchObject(refused)
      const codes = warned.mock.calls.map(([, options]) => (options as { code?: string }).code)
      expect(codes).toEqual(['REDISSON_ADDER_UNHEARD'])
      await server.command('ACL', 'SETUSER', user, '&*')
      adder.add(4)
      expect(await adder.sum()).toBe(7)
    } finally {
      warned.mockRestore()
    }
  })
})
