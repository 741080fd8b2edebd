import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions, ServerOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { eventually } from '../../support/eventually.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied } from '../../support/proxied.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { startMasters, startSingle } from '../../support/servers.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const FAST = { retryAttempts: 100, retryDelay: 10, reconnectionDelay: 10, timeout: 3000 }
const DATABASE = 5

const BUSY = 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.'
const NOPERM = "NOPERM this user has no permissions to run the 'select' command"
const ERR = 'ERR internal trouble'

/** What ioredis may have sent already when it hears of a refusal. */
const HANDSHAKE = /^(?:hello|auth|select|readonly|info|client set(?:name|info))\b/i

const OF_ALL = ['HELLO', 'CLIENT SETNAME', 'INFO']

type Settings = Partial<ServerOptions>

interface Way {
  readonly steps: readonly string[]
  /** What the server says, unless it is each of them. */
  readonly words?: readonly string[]
  /** Opens doors to servers, and returns how to connect through them. */
  readonly open: () => Promise<{
    doors: readonly TcpProxy[]
    options: (settings: Settings) => RedissonOptions
  }>
}

const ways: Record<string, Way> = {
  'a single server': {
    steps: [...OF_ALL, 'SELECT'],
    open: async () => {
      const door = await proxied(single)
      return { doors: door.proxies, options: (settings) => door.options({ database: DATABASE, ...settings }) }
    },
  },
  sentinels: {
    steps: [...OF_ALL, 'SELECT'],
    open: async () => {
      const door = await proxied(sentinel)
      return {
        doors: door.proxies,
        options: (settings) => door.options({ database: DATABASE, readMode: 'SLAVE', ...settings }),
      }
    },
  },
  'replicated servers': {
    steps: [...OF_ALL, 'SELECT'],
    open: async () => {
      const door = await startProxy(single.nodes[0])
      const nodeAddresses = [`redis://${addressOf(door)}`]
      return {
        doors: [door],
        options: (settings) => ({
          replicatedServersConfig: { nodeAddresses, database: DATABASE, ...settings },
        }),
      }
    },
  },
  'a cluster': {
    steps: OF_ALL,
    open: async () => {
      const door = await proxied(cluster)
      return {
        doors: door.proxies,
        options: (settings) => door.options({ readMode: 'SLAVE', scanInterval: 100, ...settings }),
      }
    },
  },
  'a client of ioredis': {
    words: [BUSY], // it cannot be told to try again sooner
    steps: [...OF_ALL, 'SELECT'],
    open: async () => {
      const door = await startProxy(single.nodes[0])
      const { host, port } = door
      const ioredis = new Redis({ host, port, db: DATABASE, lazyConnect: true, connectionName: 'theirs' })
      return { doors: [door], options: () => ({ ioredis }) }
    },
  },
}

let names = 0

const cases = Object.entries(ways).flatMap(([way, { steps, words: all = [BUSY, NOPERM, ERR] }]) =>
  steps.flatMap((step) => all.map((words) => ({ way, step, words }))),
)

/** INFO tells whether a server is ready, and a name is for people: neither is needed by a user who may not. */
const isHarmless = (step: string, words: string) => /^(?:INFO|CLIENT)/.test(step) && words === NOPERM

describe('a connection on which the server refuses a step of the handshake', () => {
  it.each(cases)(
    'is used for nothing, however it was opened: $way, $step, $words',
    async ({ way, step, words }) => {
      const key = `{handshake-${String(names++)}}`
      const { doors, options } = await doorsOf(way)
      const client = await connect(options, { lazyInitialization: true })
      const harmless = isHarmless(step, words)
      const times = harmless ? Infinity : undefined // so that the nodes of a cluster are among those that the key belongs to
      const first = refuseAt(doors, step, words, times)
      await usesAll(client, key)
      first.expectUnused(harmless)

      const again = refuseAt(doors, step, words, times)
      for (const door of doors) door.cut()
      await usesAll(client, key)
      await eventually(() => again.count > 0)
      await usesAll(client, key)
      again.expectUnused(harmless)
      await client.getKeys().delete(key, `${key}:set`)
    },
  )

  it('is replaced by one at which a replica of a cluster permits reads', async () => {
    const { doors, options } = await doorsOf('a cluster')
    const client = await connect(options, { lazyInitialization: true })
    const refused = refuseAt(doors, 'READONLY', BUSY, 6)
    const bucket = client.getBucket<number>('{read-there}')
    await bucket.set(1)
    const replicas = doors.slice(doors.length / 2)
    let reads = 0
    for (const door of replicas)
      door.onReply('get {read-there}', () => void (reads += 1), { times: Infinity })
    await eventually(async () => {
      await bucket.get()
      return refused.count === 6 && reads > 0
    })
    await bucket.delete()
  })

  it('lets nothing into another database, and two have no lock at once', async () => {
    await using server = await startSingle()
    const [node] = server.nodes
    await using door = await startProxy(node)
    await node.command('ACL', 'SETUSER', 'app', 'on', '>word', '~*', '&*', '+@all')
    const section = { database: DATABASE, ...FAST, retryAttempts: 1 }
    const login = { username: 'app', password: 'word' }
    const one = await made({ singleServerConfig: { address: urlOf(door), ...section, ...login } })
    const two = await made({ singleServerConfig: { address: urlOf(node), ...section } })
    const hold = await two.getLock('shared').acquire()
    await node.command('ACL', 'SETUSER', 'app', '-select')
    door.cut()
    const error = await eventually(async () => {
      const outcome: unknown = await one
        .getLock('shared')
        .tryAcquire()
        .catch((reason: unknown) => reason)
      return isRedissonError(outcome, 'AUTHENTICATION') && outcome
    })
    expect(error).toMatchObject({ mayHaveRun: false })
    expect(error.message).toContain('NOPERM')
    expect(error.message).toContain(`the server refused SELECT ${String(DATABASE)}`)
    expect(await node.command('DBSIZE')).toBe(0)

    await node.command('ACL', 'SETUSER', 'app', '+select')
    await eventually(() =>
      one
        .getBucket('back')
        .set(1)
        .then(() => true),
    )
    expect(await one.getLock('shared').tryAcquire()).toBeUndefined()
    await hold.unlock()
    expect(await node.command('DBSIZE')).toBe(0)
  })

  it('is followed by another one, wherever the server of an address has moved', async () => {
    await using servers = await startMasters(1)
    const [node] = servers.nodes
    if (node === undefined) throw new Error('There is no server')
    await using door = await startProxy(node)
    const client = await made({ singleServerConfig: { address: urlOf(door), database: DATABASE, ...FAST } })
    await client.getBucket('moved').set(1)
    const fewer = refuseAt([door], 'SELECT', 'ERR DB index is out of range', 5)
    door.cut()
    await client.getBucket('moved').set(2)
    expect(fewer.count).toBe(5)
    fewer.expectUnused(false)
    expect(await node.command('DBSIZE')).toBe(0)
    expect(await client.getBucket('moved').get()).toBe(2)
  })

  it.each([
    [BUSY, 'CONNECTION_LOST'],
    [NOPERM, 'AUTHENTICATION'],
    [ERR, 'CONNECTION_LOST'],
  ])('ends every call with an error that names the step: %s', async (words, code) => {
    const { doors, options } = await doorsOf('a single server')
    const client = await connect(options, { lazyInitialization: true, retryAttempts: 1 })
    refuseAt(doors, 'SELECT', words, Infinity)
    const names = {
      code,
      mayHaveRun: false,
      message: expect.stringContaining(`${words} (the server refused SELECT`) as unknown,
    }
    const fails = (call: Promise<unknown>) => expect(call).rejects.toMatchObject(names)
    await fails(client.getBucket('b').set(1))
    await fails(client.getScript().eval('READ_WRITE', "return redis.call('set', KEYS[1], 1)", 'VALUE', ['b']))
    await fails(client.getLock('b').acquire())
    await expect(
      client.batch((batch) => [batch.getBucket('b').set(1)], { mode: 'atomic' }),
    ).rejects.toMatchObject({ cause: { message: names.message } })
  })

  it.each([
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used',
  ])('is no error of a script or function of the program: %s', async (words) => {
    const { doors, options } = await doorsOf('a single server')
    const client = await connect(options, { lazyInitialization: true })
    const refused = { code: 'AUTHENTICATION', mayHaveRun: false }
    for (const times of ['first', 'later']) {
      const login = refuseAt(doors, 'HELLO', words, Infinity)
      if (times === 'later') for (const door of doors) door.cut()
      await eventually(() => login.count > 0)
      const fails = (call: Promise<unknown>) => expect(call).rejects.toMatchObject(refused)
      await fails(client.getScript().eval('READ_WRITE', 'return 1', 'VALUE', ['a']))
      await fails(client.getScript().evalSha('READ_WRITE', '0'.repeat(40), 'VALUE', ['a']))
      await fails(client.getFunction().call('READ_WRITE', 'nothing', 'VALUE', ['a']))
      login.expectUnused(false)
      login.stop()
      await eventually(() =>
        client
          .getBucket('a')
          .isExists()
          .then(() => true),
      )
    }
  })

  it.each([
    [NOPERM, 'AUTHENTICATION'],
    ['ERR DB index is out of range', 'CONNECTION_LOST'],
  ])('ends `create` at once where the server will say the same again: %s', async (words, code) => {
    const { doors, options } = await doorsOf('a single server')
    const refused = refuseAt(doors, 'SELECT', words, Infinity)
    await expect(Redisson.create(withSettings(options, {}))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${words} (the server refused SELECT ${String(DATABASE)})`) as unknown,
    })
    expect(refused.count).toBe(1)
  })

  it('has `create` try again where the server is busy', async () => {
    const { doors, options } = await doorsOf('a single server')
    const refused = refuseAt(doors, 'SELECT', BUSY, 3)
    const client = await connect(options, {})
    expect(refused.count).toBe(3)
    expect(await client.getBucket('busy').get()).toBeUndefined()
    refused.expectUnused(false)
  })
})

/** Refuses a step some times, and takes note of what is sent over the same connections. */
function refuseAt(doors: readonly TcpProxy[], step: string, words: string, times = 4) {
  const refused = new Set<object>()
  const wrong: string[] = []
  let count = 0
  /** What a replica is asked later is `INFO replication`, and no step. */
  const isStep = (request: string) =>
    step === 'INFO' ? /^info$/i.test(request) : request.toUpperCase().startsWith(step)
  for (const door of doors) {
    door.onRequest(
      isStep,
      (passing) => {
        if (count >= times) return
        count += 1
        refused.add(passing.connection)
        passing.refuse(words)
      },
      { times: Infinity },
    )
    door.onRequest(
      (request) => !HANDSHAKE.test(request),
      ({ connection, request }) => {
        if (refused.has(connection)) wrong.push(request)
      },
      { times: Infinity },
    )
  }
  return {
    stop: () => {
      times = 0
    },
    get count() {
      return count
    },
    expectUnused: (harmless: boolean) => {
      expect(count).toBeGreaterThan(0)
      if (harmless) expect(wrong).not.toEqual([])
      else expect(wrong).toEqual([])
    },
  }
}

/** Has a client use each of its connections, until each of them works. */
async function usesAll(client: RedissonClient, key: string): Promise<void> {
  const works = (call: () => Promise<unknown>) => eventually(() => call().then(() => true))
  const bucket = client.getBucket<number>(key)
  await works(() => bucket.set(1))
  await works(() => bucket.get())
  await works(() => client.batch((batch) => [batch.getBucket<number>(key).set(2)], { mode: 'atomic' }))
  await works(async () => {
    const heard = Promise.withResolvers<number>()
    await using _ = await client.getTopic<number>(key).addListener((message) => {
      heard.resolve(message)
    })
    await client.getTopic<number>(key).publish(1)
    await heard.promise
  })
  await works(async () => {
    const set = client.getScoredSortedSet<string>(`${key}:set`)
    const taken = set.takeFirst({ signal: AbortSignal.timeout(10_000) })
    taken.catch(() => undefined)
    await set.add(1, 'a')
    await taken
  })
}

async function doorsOf(way: string) {
  const opened = await ways[way]?.open()
  if (opened === undefined) throw new RangeError(`There is no way called ${way}`)
  onTestFinished(async () => {
    await Promise.all(opened.doors.map((door) => door.close()))
  })
  return opened
}

function withSettings(
  options: (settings: Settings) => RedissonOptions,
  { lazyInitialization, ...section }: Settings & { readonly lazyInitialization?: boolean },
): RedissonOptions {
  const given = options({ ...FAST, clientName: 'handshake', ...section })
  return lazyInitialization === undefined ? given : { ...given, lazyInitialization }
}

function connect(
  options: (settings: Settings) => RedissonOptions,
  settings: Settings & { readonly lazyInitialization?: boolean },
): Promise<RedissonClient> {
  return made(withSettings(options, settings))
}

async function made(options: RedissonOptions): Promise<RedissonClient> {
  const client = await Redisson.create(options)
  onTestFinished(() => client.shutdown())
  return client
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `redis://${host}:${String(port)}`
}
