import { inspect } from 'node:util'
import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CredentialsProvider, CredentialsRequest } from '../../../src/api/credentials.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions, ServerOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import {
  AuthenticationError,
  ConnectionLostError,
  CredentialsError,
} from '../../../src/errors/connection-errors.js'
import { askAll } from '../../support/ask-all.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type ServerNode } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const [server] = single.nodes
const FAST = { retryAttempts: 10, retryDelay: 10, reconnectionDelay: 10, timeout: 3000 }
const USER = 'canary-rotated'
/** A user whose credentials replace those of the other one. */
const NEXT_USER = 'canary-renewed'
const HOUR_MS = 3_600_000
const EVERYTHING = ['~*', '&*', '+@all']

/** All servers of the shared topologies, each of which knows the user. */
const servers = [...single.nodes, ...sentinel.nodes, ...sentinel.sentinels, ...cluster.nodes]

let words = 0
/** The password that servers accept at the time. */
let word = ''

/** Has servers accept another password, and no longer the one before. */
async function rotate(): Promise<void> {
  word = `canary-word-${String((words += 1))}`
  for (const user of [USER, NEXT_USER])
    await askAll(servers, (node) =>
      node.command('ACL', 'SETUSER', user, 'reset', 'on', `>${word}`, ...EVERYTHING),
    )
}

const kill = (nodes: readonly ServerNode[], user = USER) =>
  askAll(nodes, (node) => node.command('CLIENT', 'KILL', 'USER', user))

const current: CredentialsProvider = () => Promise.resolve({ username: USER, password: word })

/** A program with several objects in use, whose calls may not fail. */
async function inUse(client: RedissonClient, name: string) {
  const lock = client.getLock(`${name}-lock`)
  const map = client.getMap<string, number>(`${name}-map`)
  const bucket = client.getBucket<number>(`${name}-bucket`)
  const polled = client.getScoredSortedSet<string>(`${name}-polled`)
  const topic = client.getTopic<number>(`${name}-topic`)
  const heard: number[] = []
  const subscription = await topic.addListener((message) => void heard.push(message))
  let gaps = 0
  subscription.on('gap', () => void (gaps += 1))
  const hold = await lock.acquire()
  const take = () => {
    const value = polled.takeFirst()
    value.catch(() => undefined) // it is awaited
    return value
  }
  let taken = take()
  let times = 0
  return {
    /** How often messages may have been missed. */
    get gaps() {
      return gaps
    },
    /** Uses all of it, and hears of it. */
    check: async () => {
      const by = (times += 1)
      await bucket.set(by)
      await map.putAll(new Map([['count', by]]))
      const read = () =>
        client.batch((batch) => [batch.getMap(`${name}-map`).get('count')], { mode: 'atomic' })
      expect(await eventually(read)).toEqual([by]) // its connection may be found broken with it
      await hold.extend()
      expect(hold.signal.aborted).toBe(false)
      await eventually(async () => {
        await topic.publish(by)
        return heard.includes(by)
      })
      await polled.add(1, `value-${by}`)
      expect(await taken).toBe(`value-${by}`)
      taken = take()
    },
    end: async () => {
      await polled.add(1, 'last')
      await taken
      await hold.unlock()
      await subscription.unsubscribe()
      await client.getKeys().delete(`${name}-map`, `${name}-bucket`)
    },
  }
}

/** The names of the users of the connections of a client, by node. */
async function usersOf(client: RedissonClient, nodes: readonly ServerNode[]): Promise<string[]> {
  const lists = await askAll(nodes, (node) => node.command('CLIENT', 'LIST'))
  return lists
    .flatMap((list) => String(list).split('\n'))
    .filter((line) => line.includes(client.id))
    .map((line) => / user=(\S+)/.exec(line)?.[1] ?? '')
}

interface Way {
  readonly nodes: readonly ServerNode[]
  readonly options: (credentials: CredentialsProvider, settings?: Partial<ServerOptions>) => RedissonOptions
}

const ways: Readonly<Record<string, Way>> = {
  'a single server': {
    nodes: single.nodes,
    options: (credentials, settings) => ({ ...single.options({ ...FAST, ...settings }), credentials }),
  },
  sentinels: {
    nodes: [...sentinel.nodes, ...sentinel.sentinels],
    options: (credentials, settings) => {
      const section = { readMode: 'SLAVE', sentinelCredentials: credentials, ...FAST, ...settings } as const
      return { ...sentinel.options(section), credentials }
    },
  },
  'a cluster': {
    nodes: cluster.nodes,
    options: (credentials, settings) => ({
      ...cluster.options({ readMode: 'SLAVE', scanInterval: 100, ...FAST, ...settings }),
      credentials,
    }),
  },
  'replicated servers': {
    nodes: sentinel.nodes,
    options: (credentials, settings) => ({
      replicatedServersConfig: {
        nodeAddresses: sentinel.nodes.map((node) => `redis://${addressOf(node)}`),
        scanInterval: 100,
        ...FAST,
        ...settings,
      },
      credentials,
    }),
  },
  'a client of ioredis': {
    nodes: single.nodes,
    options: (credentials) => {
      const { host, port } = server
      return { ioredis: new Redis({ host, port, lazyConnect: true, password: 'another' }), credentials }
    },
  },
  'a cluster of ioredis': {
    nodes: cluster.nodes,
    options: (credentials) => {
      const seeds = cluster.nodes.map(({ host, port }) => ({ host, port }))
      return { ioredis: new Cluster(seeds, { lazyConnect: true }), credentials }
    },
  },
}

const everyWay = Object.entries(ways).map(([way, how]) => ({ way, ...how }))

beforeAll(() => rotate())
afterAll(async () => {
  await askAll(servers, (node) => node.command('ACL', 'DELUSER', USER, NEXT_USER))
  const masters = [
    ...single.nodes,
    ...sentinel.nodes.slice(0, 1),
    ...cluster.nodes.slice(0, cluster.nodes.length / 2),
  ]
  await askAll(masters, (node) => node.command('FLUSHALL')) // what Redis remembers of requests whose connections were killed
})

const create = async (options: RedissonOptions): Promise<RedissonClient> => {
  const client = await Redisson.create(options)
  onTestFinished(() => client.shutdown({ release: true }))
  return client
}

/** The error of a client that cannot be created, in which nothing is that has to stay secret. */
async function refusal(options: RedissonOptions): Promise<Error> {
  const error: unknown = await Redisson.create(options).then(
    (client) => client.shutdown(),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('Expected no client')
  const texts = [inspect(error, { depth: Infinity, showHidden: true, getters: true }), JSON.stringify(error)]
  expect(texts.join()).not.toContain('canary')
  return error
}

describe('a connection whose login is not renewed', () => {
  noLeaks(single)

  it('is used for as long as the server lets it, and the process warns', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => {
      warned.mockRestore()
    })
    let user = USER
    let password = word
    const client = await create({
      ...single.options(FAST),
      credentials: () => ({ username: user, password, expiresAt: Date.now() + 500 }),
    })
    const broken: string[] = []
    client.on('disconnected', ({ purpose }) => void broken.push(purpose))
    password = 'canary-wrong'
    await eventually(() => warned.mock.calls.length > 0)
    const [message, options] = warned.mock.calls[0] ?? []
    expect(options).toEqual({ code: 'REDISSON_LOGIN_NOT_RENEWED' })
    expect(String(message)).toContain(`Redis at ${addressOf(server)} could not log in again`)
    expect(String(message)).not.toContain('canary')
    await client.getBucket('there').set(1)
    user = NEXT_USER
    password = word
    await eventually(async () => (await usersOf(client, single.nodes)).every((name) => name === NEXT_USER))
    expect(await client.getBucket('there').delete()).toBe(true)
    expect(broken).toEqual([])
  })

  it('causes no warning when the client is shut down before there are other credentials', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => {
      warned.mockRestore()
    })
    const asked: AbortSignal[] = []
    const { promise: never } = Promise.withResolvers<never>()
    let calls = 0
    const address = addressOf({ host: 'localhost', port: server.port }) // which the process has not warned of
    const client = await create({
      singleServerConfig: { address: `redis://${address}`, ...FAST },
      credentials: ({ signal }) => {
        calls += 1
        if (calls === 1) return { username: USER, password: word, expiresAt: Date.now() + 100 }
        asked.push(signal)
        return never
      },
    })
    await eventually(() => asked.length > 0)
    await client.shutdown()
    expect(asked.every(({ aborted }) => aborted)).toBe(true)
    expect(warned.mock.calls).toEqual([])
  })
})

describe('calls while there are no credentials', () => {
  noLeaks(single)

  it('wait for them as for a connection, and say what has kept them waiting', async () => {
    let sealed = true
    const client = await create({
      ...single.options({ ...FAST, retryAttempts: 1 }),
      credentials: (request) => {
        if (sealed) throw new Error('the vault is sealed')
        return current(request)
      },
      lazyInitialization: true,
    })
    const error: unknown = await client
      .getBucket('there')
      .get()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error).toMatchObject({ cause: expect.any(CredentialsError), mayHaveRun: false })
    sealed = false
    await eventually(() => client.getBucket('there').set(1))
    await client.getBucket('there').delete()
  })

  it('are sent again where the server does not accept them yet', async () => {
    let known = word
    const client = await create({
      ...single.options({ ...FAST, retryAttempts: 100 }),
      credentials: () => ({ username: USER, password: known }),
    })
    await rotate()
    await kill(single.nodes)
    const set = client.getBucket('there').set(1)
    await eventually(async () => String(await server.command('ACL', 'LOG')).includes(USER))
    known = word
    await set
    await client.getBucket('there').delete()
  })

  it('reject with what the server has said, if it never does', async () => {
    const client = await create({
      ...single.options({ ...FAST, retryAttempts: 1 }),
      credentials: () => ({ username: USER, password: 'canary' }),
      lazyInitialization: true,
    })
    const error: unknown = await client
      .getBucket('there')
      .get()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error).toMatchObject({ cause: expect.any(AuthenticationError), mayHaveRun: false })
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('canary')
  })
})

describe.each(everyWay)('credentials that change, of $way,', ({ way, nodes, options }) => {
  it('are asked for each connection, and what is held outlives their rotation', async () => {
    const requests = new Set<string>()
    const client = await create(
      options((request) => {
        requests.add(request.address)
        return current(request)
      }),
    )
    const name = `{rotated-${way.replaceAll(' ', '-')}}`
    const use = await inUse(client, name)
    await use.check()
    for (const address of requests) expect(nodes.map(addressOf)).toContain(address)
    await rotate()
    await use.check()
    await kill(nodes)
    await use.check()
    await kill(nodes)
    await use.check()
    expect(new Set(await usersOf(client, nodes))).toEqual(new Set([USER]))
    await use.end()
  })

  it('are asked for anew where those that were kept are refused', async () => {
    let calls = 0
    const client = await create(
      options(() => {
        calls += 1
        return { username: USER, password: word, expiresAt: Date.now() + HOUR_MS }
      }),
    )
    const use = await inUse(client, `{kept-${way.replaceAll(' ', '-')}}`)
    await use.check()
    const before = calls
    await kill(nodes)
    await use.check()
    expect(calls).toBe(before)
    await rotate()
    await kill(nodes)
    await use.check()
    expect(calls).toBeGreaterThan(before)
    await use.end()
  })

  it('are renewed on open connections before they expire', async () => {
    let user = USER
    const client = await create(
      options(() => ({
        username: user,
        password: word,
        expiresAt: Date.now() + (user === USER ? 1000 : HOUR_MS),
      })),
    )
    const broken: string[] = []
    client.on('disconnected', ({ purpose }) => void broken.push(purpose))
    const use = await inUse(client, `{renewed-${way.replaceAll(' ', '-')}}`)
    await use.check()
    user = NEXT_USER
    await eventually(async () => {
      const users = await usersOf(client, nodes)
      return users.length > 0 && users.every((name) => name === NEXT_USER)
    })
    await use.check()
    expect(broken).not.toContain('commands')
    expect(use.gaps).toBe(0)
    await use.end()
  })

  it('are asked for again where there were none', async () => {
    let calls = 0
    const client = await create(
      options(
        (request) => {
          calls += 1
          if (calls % 2 === 1) throw new Error('the vault is sealed')
          return current(request)
        },
        { retryAttempts: 100 },
      ),
    )
    await client.getBucket('reached').set(1)
    await kill(nodes)
    await client.getBucket('reached').set(2)
    await client.getKeys().delete('reached')
  })

  it('may be missing for good, so that there is no client', async () => {
    const ask = () => Promise.reject(new Error('the vault is sealed'))
    const error = await refusal(options(ask, { retryAttempts: 2 }))
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error.message).toContain('redentials` has failed: the vault is sealed')
    expect(error.cause).toBeInstanceOf(CredentialsError)
    expect(error.cause).toMatchObject({ code: 'CREDENTIALS', cause: { message: 'the vault is sealed' } })
  })

  it('may be of no use for good, so that there is no client', async () => {
    const error = await refusal(options(() => ({ username: USER, password: 'canary' }), { retryAttempts: 2 }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toMatch(/WRONGPASS\): check what `(?:c|sentinelC)redentials` has returned$/)
  })

  it('are not waited for after the time of `create`', async () => {
    const signals: AbortSignal[] = []
    const { promise: never } = Promise.withResolvers<never>()
    const ask: CredentialsProvider = ({ signal }) => {
      signals.push(signal)
      return never
    }
    const error = await refusal({ ...options(ask), connectWaitMs: 100 })
    expect(error).toBeInstanceOf(ConnectionLostError)
    await eventually(() => signals.length > 0 && signals.every(({ aborted }) => aborted))
  })

  it.skipIf(way.includes('ioredis'))('have to come in time', async () => {
    const { promise: never } = Promise.withResolvers<never>()
    const error = await refusal(options(() => never, { connectTimeout: 50, retryAttempts: 1 }))
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error.message).toContain('redentials` has not settled within 50 ms')
  })

  it('are not waited for by a client that is shut down', async () => {
    const requests: CredentialsRequest[] = []
    const { promise: never } = Promise.withResolvers<never>()
    const ask: CredentialsProvider = (request) => {
      requests.push(request)
      return never
    }
    const client = await Redisson.create({ ...options(ask), lazyInitialization: true })
    await eventually(() => requests.length > 0)
    await client.shutdown()
    await eventually(() => requests.every(({ signal }) => signal.aborted))
  })
})
