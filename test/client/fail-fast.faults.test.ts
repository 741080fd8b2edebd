import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Redisson, type BatchError, type RedissonClient, type RedissonEvents } from '../../src/index.js'
import { eventually } from '../support/eventually.js'
import { noLeaks } from '../support/no-leaks.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { cluster, single } from '../support/topologies.js'

/** Longer than any test: what waits for it makes its test hang. */
const TOO_LONG_MS = 600_000

const SETTINGS = { timeout: TOO_LONG_MS, retryDelay: 10, retryAttempts: 1_000_000, reconnectionDelay: 20 }

describe('a client of a cluster whose node is away', () => {
  it('says why with failFast, whatever was asked for', async () => {
    const door = await proxied(cluster)
    onTestFinished(() => door.stop())
    await using client = await Redisson.create({ ...door.options(SETTINGS), failFast: true })
    await client.ping()
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    const why = { code: 'CONNECTION_LOST', mayHaveRun: false, cause: { code: 'ECONNREFUSED' } }
    await eventually(
      async () =>
        (await client
          .getBucket('away')
          .get()
          .catch((error: unknown) => error)) instanceof Error,
    )
    await eventually(() => !client.isConnected)
    const atomic = () =>
      client
        .batch((each) => [each.getBucket('away').get()], { mode: 'atomic' })
        .catch((error: unknown) => {
          throw (error as BatchError).cause
        })
    for (let round = 0; round < 3; round += 1) {
      await expect(client.getBucket('away').get()).rejects.toMatchObject(why)
      await expect(client.ping()).rejects.toMatchObject(why)
      await expect(client.getKeys().count()).rejects.toMatchObject(why)
      await expect(atomic()).rejects.toMatchObject(why)
    }
  })
})

describe('a client whose server is away', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let names = 0

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
  })

  const proxyOf = () => door.proxyOf(single.nodes[0])
  const created = async (settings: { readonly failFast?: boolean } = {}) => {
    client = await Redisson.create({ ...door.options(SETTINGS), ...settings })
    return client.getAtomicLong(`fast-${String((names += 1))}`)
  }
  const cutOff = async (): Promise<RedissonEvents['disconnected']> => {
    const { promise, resolve } = Promise.withResolvers<RedissonEvents['disconnected']>()
    client.once('disconnected', resolve)
    proxyOf().refuse()
    proxyOf().cut()
    return await promise
  }

  afterEach(async () => {
    await proxyOf().heal()
    await client.shutdown()
  })

  afterAll(() => door.stop())

  it('has calls reject at once with failFast, and work again when the server is back', async () => {
    const counter = await created({ failFast: true })
    await cutOff()
    await expect(counter.get()).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      mayHaveRun: false,
      cause: { code: 'ECONNREFUSED' },
    })
    for (const mode of ['pipeline', 'atomic'] as const) {
      const batch = client.batch((each) => [each.getAtomicLong(counter.name).get()], { mode })
      await expect(batch).rejects.toMatchObject({
        code: 'BATCH',
        message: expect.stringMatching(
          /^1 of 1 calls .* failed, first get\(\) of .*: .*127\.0\.0\.1/,
        ) as string,
      })
    }
    await proxyOf().heal()
    await eventually(() => client.isConnected)
    expect(await counter.get()).toBe(0)
  })

  it('goes on renewing with failFast what it holds', async () => {
    client = await Redisson.create({ ...door.options(SETTINGS), failFast: true, lockWatchdogTimeout: 6_000 })
    const name = `fast-${String((names += 1))}`
    const hold = await client.getLock(name).acquire()
    await cutOff()
    await proxyOf().heal()
    using renewed = proxyOf().onRequest(name)
    await renewed.happened
    expect(hold.signal.aborted).toBe(false)
    await hold.unlock()
  })

  it('says whether there is a connection, and why a ping fails', async () => {
    await created()
    expect(client.isConnected).toBe(true)
    expect(await client.ping()).toBeGreaterThan(0)
    const { cause } = await cutOff()
    expect(cause).toBeInstanceOf(Error)
    expect(client.isConnected).toBe(false)
    await expect(client.ping()).rejects.toMatchObject({ code: 'CONNECTION_LOST', mayHaveRun: false })
    await client.shutdown()
    expect(client.isConnected).toBe(false)
    await expect(client.ping()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('ends a ping by its signal, also when the reply is held back', async () => {
    await created()
    const ended = new AbortController()
    using asked = proxyOf().onRequest('ping')
    proxyOf().stall('replies')
    const pinged = expect(client.ping({ signal: ended.signal })).rejects.toMatchObject({
      name: 'AbortError',
      code: 'ABORTED',
      mayHaveRun: true,
      cause: { message: 'enough' },
    })
    await asked.happened
    ended.abort(new Error('enough'))
    await pinged
    await expect(client.ping({ signal: ended.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveRun: false,
      cause: { message: 'enough' },
    })
  })

  it.each(['OOM command not allowed', 'MISCONF Redis is configured', 'NOREPLICAS Not enough good replicas'])(
    'tells of %s after one more attempt',
    async (words) => {
      const counter = await created()
      let asked = 0
      using _ = proxyOf().onRequest(
        counter.name,
        (passing) => {
          asked += 1
          passing.refuse(`${words} to write.`)
        },
        { times: 100 },
      )
      await expect(counter.set(1)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: false })
      expect(asked).toBe(2)
    },
  )
})
