import { createServer, type AddressInfo, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { AuthenticationError } from '../../../src/errors/connection-errors.js'
import { RedissonError } from '../../../src/errors/redisson-error.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { theLauncher } from '../../support/launch/choose-launcher.js'
import { onFreePorts } from '../../support/launch/free-ports.js'
import type { Fleet } from '../../support/launch/launcher.js'
import { replicaPlan, sentinelPlan, serverPlan } from '../../support/launch/server-plans.js'
import { addressOf, type RunningNode } from '../../support/launch/topology.js'
import { startProxy } from '../../support/proxy.js'
import { openTlsDoor } from '../../support/tls-door.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const [server] = single.nodes
const FAST = { retryAttempts: 1, retryDelay: 1, reconnectionDelay: 5, timeout: 3000 }
/** For servers that are silent on purpose. */
const IMPATIENT = { timeout: 300 }
/** So that a server that stands still for a moment is reached all the same. */
const REACHED = { connectWaitMs: 20_000 }
const TRIED = String.raw`\(2 attempts in \d+ ms\)$`

const started: Fleet[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((fleet) => fleet.stop()))
})

/** A server with settings of its own. */
async function start(...settings: readonly string[]): Promise<RunningNode> {
  const launcher = await theLauncher()
  const fleet = await onFreePorts(1, (ports) =>
    launcher.launch(
      ports.map((port) => {
        const plan = serverPlan(launcher, port)
        return { ...plan, arguments: [...plan.arguments, ...settings] }
      }),
    ),
  )
  started.push(fleet)
  return fleet.nodes[0] as RunningNode
}

/** A replica that sentinels watch. */
async function someReplica(): Promise<(typeof sentinel.nodes)[number]> {
  const replica = await eventually(async () => {
    const roles = await Promise.all(sentinel.nodes.map((node) => node.command('ROLE')))
    return sentinel.nodes[roles.findIndex((role) => (role as string[])[0] === 'slave')]
  })
  if (replica === undefined) throw new Error('There is no replica')
  return replica
}

const freePorts = (count: number) => onFreePorts(count, (ports) => Promise.resolve(ports))

const at = (address: string, settings: object = {}): RedissonOptions => ({
  singleServerConfig: {
    address: address.includes('://') ? address : `redis://${address}`,
    ...FAST,
    ...settings,
  },
})

/** The same server by each kind of settings that names servers. */
const byEveryKind = (address: string, settings: object = {}): readonly RedissonOptions[] => [
  at(address, settings),
  { sentinelServersConfig: { masterName: 'mine', sentinelAddresses: [address], ...FAST, ...settings } },
  { replicatedServersConfig: { nodeAddresses: [address], ...FAST, ...settings } },
  { clusterServersConfig: { nodeAddresses: [address], ...FAST, ...settings } },
]

/** A server that is no Redis, and treats each connection as given. */
async function serve(welcome: (socket: Socket) => void): Promise<AsyncDisposable & { address: string }> {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    welcome(socket)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return {
    address: `redis://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

/** What `create` rejects with. */
async function refusal(options: RedissonOptions): Promise<RedissonError> {
  const error: unknown = await Redisson.create(options).then(
    (client) => client.shutdown(),
    (reason: unknown) => reason,
  )
  if (error instanceof RedissonError) return error
  throw new Error('Nothing was refused', { cause: error })
}

describe('a client that cannot connect says', () => {
  it('where nothing listens, how often it tried and for how long', async () => {
    const [port] = await freePorts(1)
    const error = await refusal(at(`127.0.0.1:${port}`))
    const where = `127.0.0.1:${port}`
    expect(error.message).toMatch(
      new RegExp(`^Could not connect to Redis at ${where}: connect ECONNREFUSED ${where} ${TRIED}`),
    )
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', attempts: 2, elapsedMs: expect.any(Number) })
  })

  it('that its host is not known', async () => {
    expect((await refusal(at('no-such-host.invalid:6379'))).message).toContain(
      ' at no-such-host.invalid:6379: getaddrinfo ',
    )
  })

  it('why each sentinel could not be asked', async () => {
    const [port] = await freePorts(1)
    const sentinelAddresses = [`redis://127.0.0.1:${port}`, 'redis://no-such-host.invalid:26379']
    const { message } = await refusal({
      sentinelServersConfig: { masterName: 'mine', sentinelAddresses, ...FAST },
    })
    expect(message).toContain(` by the sentinel at 127.0.0.1:${port}: connect ECONNREFUSED`)
    expect(message).toContain(' by the sentinel at no-such-host.invalid:26379: getaddrinfo ')
    expect(message).toMatch(new RegExp(TRIED))
    expect(message).not.toMatch(/localhost:6379|Retrying|closed/)
  })

  it('that a sentinel does not know the master, or is none', async () => {
    const [first] = sentinel.sentinels
    if (first === undefined) throw new Error('There are no sentinels')
    const unknown = await refusal(sentinel.options({ masterName: 'unknown-master', ...FAST }))
    expect(unknown.message).toContain(`by the sentinel at ${addressOf(first)}: it does not know a master`)
    expect(unknown.message).toContain('unknown-master')
    const none = await refusal({
      sentinelServersConfig: {
        masterName: 'mine',
        sentinelAddresses: [`redis://${addressOf(server)}`],
        ...FAST,
      },
    })
    expect(none.message).toMatch(
      new RegExp(
        `by the sentinel at ${addressOf(server)}: ERR unknown command 'sentinel' \\(it is no sentinel\\) ${TRIED}`,
      ),
    )
  })

  it('where the master is that sentinels name', async () => {
    const [port] = await freePorts(1)
    const natMapper = () => ({ host: '127.0.0.1', port: Number(port) })
    const { message } = await refusal(sentinel.options({ natMapper, ...FAST }))
    expect(message).toMatch(new RegExp(`^Could not connect to Redis at 127.0.0.1:${port}: .*ECONNREFUSED`))
  })

  it('what became of each node of a cluster', async () => {
    const [port] = await freePorts(1)
    const nodeAddresses = [`redis://127.0.0.1:${port}`, 'redis://no-such-host.invalid:7000']
    const { message } = await refusal({ clusterServersConfig: { nodeAddresses, ...FAST } })
    expect(message).toContain(` at 127.0.0.1:${port}: connect ECONNREFUSED`)
    expect(message).toContain(' at no-such-host.invalid:7000: getaddrinfo ')
  })

  it('that no host of a cluster is known', async () => {
    const nodeAddresses = ['redis://no-such-host.invalid:7000', 'redis://no-other-host.invalid:7001']
    const { message } = await refusal({ clusterServersConfig: { nodeAddresses, ...FAST } })
    expect(message).toContain(' at no-such-host.invalid:7000: getaddrinfo ')
    expect(message).toContain(' at no-other-host.invalid:7001: getaddrinfo ')
  })

  it('that a server is no cluster, at once', async () => {
    const nodeAddresses = [`redis://${addressOf(server)}`]
    const error = await refusal({ clusterServersConfig: { nodeAddresses, ...FAST, retryAttempts: 100 } })
    expect(error.message).toContain(`at ${addressOf(server)}: ERR This instance has cluster support disabled`)
    expect(error.message).toContain('`singleServerConfig`')
  })

  it('which server has said nothing until the end of its time', { tags: ['timed'] }, async () => {
    await using silent = await serve((socket) => socket.resume())
    const { host } = new URL(silent.address)
    for (const options of byEveryKind(silent.address)) {
      const error = await refusal({ ...options, connectWaitMs: 100 })
      expect(error.message).toContain(` at ${host}: it has accepted the connection, and not replied yet`)
    }
  })

  it('for how long a server has said nothing', { tags: ['timed'] }, async () => {
    await using silent = await serve((socket) => socket.resume())
    const { host } = new URL(silent.address)
    for (const options of byEveryKind(silent.address, IMPATIENT))
      expect(await refusal(options)).toMatchObject({
        message: expect.stringMatching(new RegExp(` at ${host}: Nothing was received within (300|450) ms `)),
      })
  })

  it('that a server has too many clients, in its own words', async () => {
    const node = await start('--maxclients', '2')
    const others = [1, 2].map(() => new Redis(node.port, node.host, { retryStrategy: () => null }))
    for (const other of others) other.on('error', () => undefined) // one connection is that of the test
    await Promise.allSettled(others.map((other) => other.ping()))
    for (const options of byEveryKind(`redis://${addressOf(node)}`)) {
      const error = await refusal(options)
      expect(error.message).toContain(` at ${addressOf(node)}: ERR max number of clients reached (`)
      expect(error.cause).toMatchObject({ message: 'ERR max number of clients reached' })
    }
    const lazy = await Redisson.create({ ...at(addressOf(node)), lazyInitialization: true })
    await eventually(async () => {
      const error: unknown = await lazy
        .getLock('orders')
        .isLocked()
        .catch((reason: unknown) => reason)
      return String(error).includes('ERR max number of clients reached')
    })
    await lazy.shutdown()
    for (const other of others) other.disconnect()
  })

  it('that a server is in protected mode, in its own words, and no more of them than need be', async () => {
    // A server on this machine is not in that mode for the tests of this machine.
    const words = 'DENIED Redis is running in protected mode because protected mode is enabled'
    await using server = await serve((socket) => {
      socket.end(`-${words}. If you want to connect from external computers, you may: 1) disable it.\r\n`)
    })
    const { host } = new URL(server.address)
    for (const options of byEveryKind(server.address))
      expect((await refusal(options)).message).toContain(` at ${host}: ${words} (`)
  })

  it('that a sentinel stands in the place of a server, at once', async () => {
    const [first] = sentinel.sentinels
    const address = addressOf(first ?? server)
    const expected = {
      code: 'CONNECTION_LOST',
      message: expect.stringContaining(` at ${address}: it is a sentinel, and sentinels have no data`),
    }
    expect(await refusal(at(address, { retryAttempts: 100 }))).toMatchObject({ ...expected, attempts: 1 })
    await using lazy = await Redisson.create({ ...at(address), lazyInitialization: true })
    await expect(lazy.getLock('orders').lock()).rejects.toMatchObject(expected)
    const asCluster = { clusterServersConfig: { nodeAddresses: [`redis://${address}`], ...FAST } }
    expect((await refusal(asCluster)).message).toContain('(`sentinelServersConfig` is for sentinels)')
  })

  it('that a sentinel names a replica as the master', async () => {
    const launcher = await theLauncher()
    const masterName = 'stale'
    const watch = { masterName, quorum: 2, downAfterMs: 60_000, failoverTimeoutMs: 60_000 }
    const fleet = await onFreePorts(3, ([master = 0, replica = 0, watching = 0]) =>
      launcher.launch([
        serverPlan(launcher, master),
        replicaPlan(launcher, replica, master),
        sentinelPlan(launcher, watching, { ...watch, masterPort: replica }),
      ]),
    )
    started.push(fleet)
    const [, replica, stale] = fleet.nodes
    const sentinelAddresses = [`redis://${addressOf(stale ?? server)}`]
    const { message } = await refusal({ sentinelServersConfig: { masterName, sentinelAddresses, ...FAST } })
    expect(message).toContain(
      ` at ${addressOf(replica ?? server)}: its role is slave, although a sentinel has named it as the master (`,
    )
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('it is broken')
      },
    ],
    [
      'throws what cannot be read',
      () => {
        throw revoked()
      },
    ],
    ['returns what cannot be read', revoked],
    ['returns no port', ({ host }: { host: string }) => ({ host })],
    ['returns a text', ({ host, port }: { host: string; port: number }) => `${host}:${String(port)}`],
    ['returns a promise', (known: object) => Promise.resolve(known)],
  ])('of a mapper of addresses that %s, and uses the address as it is', async (_, mapper) => {
    const natMapper = mapper as () => { host: string; port: number }
    for (const topology of [cluster, sentinel]) {
      const client = await Redisson.create(topology.options({ natMapper, ...FAST }))
      expect(await client.getLock('unmapped').isLocked()).toBe(false)
      await client.shutdown()
    }
  })

  it('that no node of a cluster has slots', async () => {
    const node = await start('--cluster-enabled', 'yes')
    const nodeAddresses = [`redis://${addressOf(node)}`]
    const { message } = await refusal({ clusterServersConfig: { nodeAddresses, ...FAST } })
    expect(message).toContain(`at ${addressOf(node)}: the cluster names no node`)
  })

  it('what each of the replicated servers is', async () => {
    const [port] = await freePorts(1)
    const nodeAddresses = [`redis://127.0.0.1:${port}`, `redis://${addressOf(sentinel.nodes[1] ?? server)}`]
    const { message } = await refusal({ replicatedServersConfig: { nodeAddresses, ...FAST } })
    expect(message).toContain(` at 127.0.0.1:${port}: connect ECONNREFUSED`)
    expect(message).toContain('its role is slave')
    expect(message).not.toContain('localhost:6379')
  })

  it('that the database does not exist, instead of using another', async () => {
    const { message } = await refusal(at(addressOf(server), { database: 99, retryAttempts: 100 }))
    expect(message).toContain('ERR DB index is out of range')
  })
})

describe('TLS', () => {
  const tls = (port: number, settings: object = {}) =>
    ({ singleServerConfig: { address: `rediss://127.0.0.1:${port}`, ...FAST, ...settings } }) as const

  it('is not waited for longer than for a connection, where the server does not speak it', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const error = await refusal(tls(port, { connectTimeout: 200, retryAttempts: 100 }))
    expect(error).toMatchObject({ attempts: 1 })
    expect(error.message).toContain(
      `at 127.0.0.1:${port}: TLS was expected, but the handshake got no reply within 200 ms`,
    )
    silent.close()
  })

  it('is not what a plain server answers', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write('-ERR unknown command\r\n'))
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as AddressInfo
    const { message } = await refusal(tls(port, { retryAttempts: 100 }))
    expect(message).toContain('TLS was expected, but the server does not speak it')
    plain.close()
  })

  it('is what a server may expect that closes plain connections', async () => {
    await using door = await openTlsDoor(server)
    for (const options of byEveryKind(`redis://${addressOf(door)}`)) {
      const { message } = await refusal(options)
      expect(message).toContain(
        ` at ${addressOf(door)}: the server closed the connection, as one does that expects TLS (rediss://)`,
      )
    }
  })

  it('is what a server may expect that resets them', async () => {
    await using resetting = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()))
    for (const options of byEveryKind(resetting.address)) {
      const { message } = await refusal(options)
      expect(message).toMatch(/ the server closed the connection \(\w+ E\w+\), as one does that expects TLS/)
    }
  })

  it('is not what a server expects that has worked without', async () => {
    await using proxy = await startProxy(server)
    await using client = await Redisson.create(at(addressOf(proxy)))
    proxy.onRequest(
      () => true,
      (passing) => passing.cut(),
      { times: Infinity },
    )
    proxy.cut()
    const lost: unknown = await client
      .getLock('orders')
      .isLocked()
      .catch((error: unknown) => error)
    expect(lost).toMatchObject({ code: 'CONNECTION_LOST' })
    expect(String(lost)).not.toContain('TLS')
    await proxy.heal()
  })

  it('is missed at once by every kind of settings', async () => {
    const patient = { ...IMPATIENT, retryAttempts: 100, connectTimeout: 500 }
    for (const options of byEveryKind(`rediss://${addressOf(server)}`, patient)) {
      const error = await refusal(options)
      expect(error).toMatchObject({ attempts: 1 }) // and not a hundred
      expect(error.message).toMatch(/: TLS was expected, but the handshake got no reply within \d+ ms/)
    }
  })

  it('may end in the handshake', async () => {
    await using closing = await serve((socket) => socket.once('data', () => socket.destroy()))
    for (const options of byEveryKind(closing.address.replace('redis:', 'rediss:')))
      expect((await refusal(options)).message).toContain(
        'TLS was expected, but the connection was closed before the handshake was done',
      )
  })
})

describe('a login that is refused', () => {
  it('says that a password is wanted', async () => {
    const node = await start()
    await node.command('CONFIG', 'SET', 'requirepass', 'a-word')
    const error = await refusal(at(addressOf(node), { retryAttempts: 100 }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ code: 'AUTHENTICATION', address: addressOf(node) })
    expect(error.message).toBe(`Redis at ${addressOf(node)} wants a password (NOAUTH): set \`password\``)
    expect((error.cause as Error).message).toMatch(/^NOAUTH /)
  })

  it('says that the password is another', async () => {
    const error = await refusal(at(addressOf(server), { username: 'unknown', password: 'x' }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toMatch(
      /does not accept the user name or the password \(WRONGPASS\): check `username`/,
    )
  })

  it('says what the user may not do', async () => {
    await server.command('ACL', 'SETUSER', 'clerk', 'on', 'nopass', '~*', '&*', '+@all', '-select')
    const error = await refusal(at(addressOf(server), { username: 'clerk', password: 'x', database: 1 }))
    await server.command('ACL', 'DELUSER', 'clerk')
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toContain('does not permit this user to connect: NOPERM')
  })

  it.each([
    ['a sentinel', () => sentinel.options({ sentinelUsername: 'unknown', sentinelPassword: 'x', ...FAST })],
    ['the master behind sentinels', () => sentinel.options({ username: 'unknown', password: 'x', ...FAST })],
    ['a cluster', () => cluster.options({ username: 'unknown', password: 'x', ...FAST })],
    [
      'replicated servers',
      (): RedissonOptions => ({
        replicatedServersConfig: { nodeAddresses: [`redis://unknown:x@${addressOf(server)}`], ...FAST },
      }),
    ],
  ])('is reported in the same way by %s', async (who, options) => {
    const error = await refusal(options())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toContain('(WRONGPASS)')
    expect(error.message).toContain(who === 'a sentinel' ? '`sentinelPassword`' : '`password`')
  })

  it('is reported by every call for permits, and so is a missing permission', async () => {
    const node = await start()
    const mayDo = (...rules: string[]) =>
      node.command('ACL', 'SETUSER', 'clerk', 'reset', 'on', '~*', '&*', '+@all', ...rules)
    await mayDo('>old')
    await using client = await Redisson.create(at(addressOf(node), { username: 'clerk', password: 'old' }))
    const permits = client.getPermitExpirableSemaphore('permits', { permits: 1 })
    const expectAll = async (expected: object): Promise<void> => {
      for (const call of [
        () => permits.acquire(),
        () => permits.tryAcquire(100),
        () => permits.acquirePermit(),
        () => permits.withPermit(() => undefined),
        () => permits.trySetPermits(1),
      ])
        await expect(call()).rejects.toMatchObject(expected)
    }
    await mayDo('>old', '-evalsha')
    await expectAll({ code: 'SCRIPT', message: expect.stringContaining('NOPERM') })
    await mayDo('>new')
    await node.command('CLIENT', 'KILL', 'USER', 'clerk')
    await eventually(async () => {
      const error: unknown = await permits.availablePermits().catch((reason: unknown) => reason)
      return error instanceof AuthenticationError
    })
    await expectAll({ code: 'AUTHENTICATION', message: expect.stringContaining('(WRONGPASS)') })
  })
})

describe('a request that failed', () => {
  it('names the server, what was asked, the attempts and the time', async () => {
    await using proxy = await startProxy(server)
    await using client = await Redisson.create({ ...at(addressOf(proxy), IMPATIENT), ...REACHED })
    proxy.stall()
    await expect(client.getLock('orders').isLocked()).rejects.toMatchObject({
      code: 'REPLY_TIMEOUT',
      request: 'lock/inspect of orders',
      attempts: 2,
      message: expect.stringMatching(
        new RegExp(
          `^Redis at ${addressOf(proxy)} did not reply within 300 ms ` +
            String.raw`\(lock/inspect of orders, 2 attempts in \d+ ms\)$`,
        ),
      ),
    })
    proxy.refuse()
    proxy.cut()
    const lost = await client
      .getLock('orders')
      .isLocked()
      .catch((error: unknown) => error as Error)
    expect(String(lost)).toMatch(
      new RegExp(
        `^ConnectionLostError: Could not connect to Redis at ${addressOf(proxy)}: connect ECONNREFUSED \\S+ ` +
          String.raw`\(lock/inspect of orders, 2 attempts in \d+ ms\)$`,
      ),
    )
    expect((lost as Error).cause).toMatchObject({ code: expect.stringMatching(/ECONN(REFUSED|RESET)/) })
  })

  it('names the node of a cluster', async () => {
    const proxies = await Promise.all(cluster.nodes.map((node) => startProxy(node)))
    const natMapper = Object.fromEntries(
      proxies.map(({ target, host, port }) => [addressOf(target), { host, port }]),
    )
    const settings = { natMapper, ...FAST, ...IMPATIENT, retryAttempts: 0 }
    const client = await Redisson.create({ ...cluster.options(settings), ...REACHED })
    await client.getKeys().count() // what was asked of the nodes before has its replies then
    for (const proxy of proxies) proxy.stall()
    const error = await client
      .getLock('orders')
      .isLocked()
      .catch((reason: unknown) => reason as Error)
    expect(proxies.map((proxy) => `Redis at ${addressOf(proxy)} did`)).toContain(
      /Redis at \S+ did/.exec(String(error))?.[0],
    )
    await client.shutdown()
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })

  it('says that a server is a replica', async () => {
    const replica = await someReplica()
    // After READONLY the connection is made anew, and what is sent before that is over fails with the old one.
    const settings = { retryDelay: 200, reconnectionDelay: 1 }
    await using client = await Redisson.create(at(addressOf(replica), settings))
    await expect(client.getLock('orders').lock()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringMatching(/^Redis is not ready: READONLY .* \(lock\/acquire of orders, /),
    })
  })

  it('ends the connection to a replica once, however many requests that refuses', async () => {
    const warned = vi.spyOn(process, 'emitWarning')
    const replica = await someReplica()
    await using client = await Redisson.create(at(addressOf(replica), { retryAttempts: 0 }))
    const reconnected = vi.fn()
    client.on('reconnected', reconnected)
    const tried = Array.from({ length: 40 }, (_, index) =>
      client.getAtomicLong(`n${index}`).incrementAndGet(),
    )
    for (const result of await Promise.allSettled(tried))
      expect(result).toMatchObject({ reason: { code: 'SERVER_NOT_READY' } })
    await vi.waitFor(
      () => {
        expect(reconnected).toHaveBeenCalledTimes(1)
      },
      { timeout: 10_000 },
    )
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  it('says whether a script may have run in which the user lacks a right', async () => {
    const node = await start()
    const mayNot = (command: string) =>
      node.command('ACL', 'SETUSER', 'clerk', 'reset', 'on', '>x', '~*', '&*', '+@all', command)
    await mayNot('-evalsha')
    const user = { username: 'clerk', password: 'x' }
    await using client = await Redisson.create(at(addressOf(node), user))
    const map = client.getMap<string, number>('ages')
    await expect(map.put('Ann', 7)).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: false })
    await mayNot('-hset')
    await expect(map.put('Ann', 7)).rejects.toMatchObject({ code: 'SCRIPT', mayHaveRun: true })
  })

  it('runs nothing of a step where the user may not begin one, and says so if it did', async () => {
    const node = await start()
    const mayNot = (...commands: string[]) =>
      node.command('ACL', 'SETUSER', 'clerk', 'reset', 'on', '>x', '~*', '&*', '+@all', ...commands)
    await mayNot()
    const user = { username: 'clerk', password: 'x' }
    await using client = await Redisson.create(at(addressOf(node), user))
    const count = () =>
      client.batch((batch) => [batch.getAtomicLong('steps').incrementAndGet()], { mode: 'atomic' })
    for (const command of ['-multi', '-exec']) {
      await mayNot(command)
      const refused = { mayHaveRun: false, message: expect.stringContaining('NOPERM') as unknown }
      await expect(count()).rejects.toMatchObject({ mayHaveRun: false, cause: refused })
      expect(await node.command('GET', 'steps')).toBeNull()
    }
    await mayNot()
    expect(await count()).toEqual([1])
    await mayNot('-multi')
    await expect(count()).rejects.toMatchObject({ mayHaveRun: true, cause: { mayHaveRun: true } })
  })

  it('does not repeat where Redis found the error', async () => {
    await using client = await Redisson.create(single.options())
    await server.command('SET', 'a-text', 'x')
    await expect(client.getLock('a-text').isLocked()).rejects.toThrow(
      /^a-text holds an object of another kind: (?!.*script:)/,
    )
    await server.command('DEL', 'a-text')
  })

  it.each([false, true])(
    'says of several names that it is one of them, with exactlyOnce: %s',
    async (exactlyOnce) => {
      await using client = await Redisson.create(single.options())
      await server.command('SET', 'a-text', 'x')
      const set = client.getSet('a-set', { exactlyOnce })
      const scored = client.getScoredSortedSet('a-set', { exactlyOnce })
      for (const call of [
        () => set.readUnion(['a-text']),
        () => set.union(['a-set', 'a-text']),
        () => scored.union(['a-text']),
        () => scored.pollFirstFromAny(['a-text']),
        () => scored.pollFirstFromAny(['a-text'], { waitMs: 60_000 }),
      ]) {
        const several = { object: 'a-set', isOneOfSeveral: true }
        const failure = await call().catch((error: unknown) => error)
        expect(failure).toMatchObject(several)
        expect(failure).toHaveProperty(
          'message',
          expect.stringMatching(/^One of a-set and the other names holds/),
        )
      }
      await expect(client.getSet('a-text', { exactlyOnce }).add(1)).rejects.toMatchObject({
        object: 'a-text',
        isOneOfSeveral: false,
      })
      await server.command('DEL', 'a-text')
    },
  )
})

describe('an event', () => {
  it('names the server to which sentinels have led', async () => {
    const addresses: string[] = []
    const client = await Redisson.create(sentinel.options())
    client.on('connected', ({ address }) => addresses.push(address))
    await eventually(() => addresses.length > 0)
    await client.shutdown()
    expect(sentinel.nodes.map((node) => addressOf(node))).toContain(addresses[0])
  })
})

describe('a single server that is a node of a cluster', () => {
  it('is warned of once', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const warnings = () => emitWarning.mock.calls.filter(([message]) => String(message).includes('cluster'))
    try {
      const [node] = cluster.nodes
      const options = at(addressOf(node ?? server), { retryAttempts: 0 })
      await using first = await Redisson.create(options)
      await eventually(() => warnings().length === 1)
      expect(warnings()[0]).toEqual([
        expect.stringContaining('`clusterServersConfig`'),
        { code: 'REDISSON_CLUSTER_NODE' },
      ])
      await using second = await Redisson.create(options)
      await Promise.all([first, second].map((client) => client.getLock('x').isLocked().catch(String)))
      expect(warnings().length).toBe(1)
    } finally {
      emitWarning.mockRestore()
    }
  })
})

describe('what is no settings', () => {
  it.each([
    ['no-such-file', '`no-such-file` is neither a URL (redis://…) nor a readable file (ENOENT)'],
    [
      'localhost:6379',
      '`localhost:6379` is neither a URL (redis://…) nor a readable file (ENOENT): did you mean `redis://localhost:6379`?',
    ],
    ['127.0.0.1:6379', 'did you mean `redis://127.0.0.1:6379`?'],
    ['cache:6379', 'has an `@` or a colon, is neither a URL (redis://…) nor a readable file (ENOENT)'],
    [undefined, 'Expected `options` to be an object of settings, a URL such as'],
    [
      { host: 'x' },
      "Unknown setting `host`; one server is `singleServerConfig: { address: 'redis://host:port' }`",
    ],
    [{ nothing: 'x' }, 'Unknown setting `nothing`; there are lockWatchdogTimeout, '],
    [
      'localhost',
      '`localhost` is neither a URL (redis://…) nor a readable file (ENOENT): did you mean `redis://localhost`?',
    ],
    [{ singleServerConfig: { address: 'redis://h:1', pasword: 'x' } }, 'did you mean `password`?'],
  ])('is recognized in %j', async (source, words) => {
    await expect(Redisson.create(source as RedissonOptions)).rejects.toThrow(words)
  })

  it.each([
    'redis//SECRET@127.0.0.1:6379',
    'redis;//u,SECRET@h:1',
    '//user/SECRET@h:6379',
    'user:SECRET',
    'redis:SECRET',
  ])('is not shown where it may have a password (%s)', async (source) => {
    const error = await Redisson.create(source).catch((reason: unknown) => reason)
    expect(inspect(error, { depth: 10 })).not.toContain('SECRET')
    expect(String(error)).toContain('is neither a URL (redis://…) nor a readable file (ENOENT)')
  })

  it('may be a client of ioredis', async () => {
    const redis = new Redis({ lazyConnect: true })
    await expect(Redisson.create(redis as unknown as RedissonOptions)).rejects.toThrow('`{ ioredis: redis }`')
  })
})

/** What throws whenever it is read. */
function revoked(): Error {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as Error
}
