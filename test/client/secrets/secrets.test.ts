import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as library from '../../../src/index.js'
import { jsonCodec, Redisson, RedissonError, RequestError, type RedissonClient } from '../../../src/index.js'
import { subjects } from '../../contracts/subjects.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { eventually } from '../../support/eventually.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { openTlsDoor, certificate } from '../../support/tls-door.js'
import { sentinel, single } from '../../support/topologies.js'
import { canaries, leaksOf } from './canaries.js'
import { connect, DEAF, provoked } from './provoked.js'

const [server] = single.nodes
const { username, password, sentinelUsername, sentinelPassword, passphrase, tlsKey: key } = canaries

const objects = Object.entries(subjects).filter(([name]) => name !== 'Redisson')

/** The classes of errors that a program can meet. */
const classes = Object.entries(library).filter(
  ([, exported]) => typeof exported === 'function' && exported.prototype instanceof RedissonError,
)

/** Without those that only others extend. */
const errorClasses = classes.filter(([name]) => name !== RequestError.name)

beforeAll(async () => {
  await server.command('ACL', 'SETUSER', username, 'on', `>${password}`, '~*', '&*', '+@all')
  await server.command('ACL', 'SETUSER', DEAF, 'on', `>${password}`, '~*', 'resetchannels', '+@all')
})

afterAll(async () => {
  await server.command('ACL', 'DELUSER', username, DEAF)
  for (const node of [server, ...sentinel.nodes]) {
    await node.command('FLUSHALL').catch(() => undefined) // replicas refuse
    await node.command('FUNCTION', 'FLUSH').catch(() => undefined)
  }
})

describe('the search for secrets', () => {
  it.each([
    ['a hidden property', Object.defineProperty({}, 'hidden', { value: [password] })],
    ['a symbol', { [Symbol('s')]: { deep: { deeper: { deepest: username } } } }],
    [
      'an accessor of a class',
      new (class {
        get secret() {
          return { sentinelPassword }
        }
      })(),
    ],
    ['a cause', new Error('it failed', { cause: new Error(passphrase) })],
    ['bytes', { bytes: Buffer.from(key) }],
    ['a map', new Map([['login', { password }]])],
  ])('finds one in %s', (_, value) => {
    expect(leaksOf(value)).not.toEqual([])
  })
})

describe('what the library hands out shows no secret', () => {
  let door: Awaited<ReturnType<typeof openTlsDoor>>
  const clients: Record<string, RedissonClient> = {}

  beforeAll(async () => {
    door = await openTlsDoor(server)
    const address = `rediss://127.0.0.1:${door.port}`
    clients['a single server'] = await connect(
      door,
      { address },
      {
        tls: { ca: certificate, cert: certificate, key, passphrase },
      },
    )
    for (const node of sentinel.sentinels)
      await node.command(
        'ACL',
        'SETUSER',
        sentinelUsername,
        'on',
        `>${sentinelPassword}`,
        '~*',
        '&*',
        '+@all',
      )
    clients['sentinels'] = await Redisson.create(sentinel.options({ sentinelUsername, sentinelPassword }))
  })

  afterAll(async () => {
    await Promise.all(Object.values(clients).map((client) => client.shutdown()))
    for (const node of sentinel.sentinels) await node.command('ACL', 'DELUSER', sentinelUsername)
    await door[Symbol.asyncDispose]()
  })

  it.each(['a single server', 'sentinels'])('at %s', async (place) => {
    const client = clients[place] as RedissonClient
    for (const [name, { make }] of objects) expect(leaksOf(await make(client, name)), name).toEqual([])
  })

  it('but what it is, to logs', async () => {
    const client = clients['a single server'] as RedissonClient
    const lock = client.getLock('orders')
    expect(inspect(client)).toBe(`RedissonClient { id: '${client.id}' }`)
    expect(inspect(lock)).toBe("RLock { name: 'orders' }")
    expect(JSON.stringify({ lock })).toBe('{"lock":{"name":"orders"}}')
    expect(inspect({ deep: { down: [{ lock }] } }, { depth: 3 })).toContain("lock: RLock { name: 'orders' }")
    expect(inspect(client.getFencedLock('orders'))).toBe("RFencedLock { name: 'orders' }")
    expect(inspect(client.getMultiLock(lock, client.getLock('stock')))).toBe(
      "RMultiLock { name: 'orders,stock' }",
    )
    const json = jsonCodec()
    const codec = {
      name: 'own',
      encode: (value: unknown) => json.encode(value),
      decode: (bytes: Uint8Array) => json.decode(bytes),
      key: 'of a codec of the program',
    }
    for (const shown of [
      client.getBucket('orders', { codec }),
      client.getMap('orders', { codec: { key: codec, value: codec } }),
      client.getTopic('orders', { codec }),
    ]) {
      expect(JSON.stringify(shown)).toBe('{"name":"orders"}')
      expect(inspect(shown)).toMatch(/^\w+ \{ name: 'orders' \}$/)
    }
    const hold = await lock.acquire()
    const { owner } = hold
    expect(inspect(hold, { breakLength: Infinity })).toBe(
      `LockHold { name: 'orders', owner: '${owner}', isHeld: true }`,
    )
    await hold.unlock()
    expect(JSON.parse(JSON.stringify(hold))).toEqual({ name: 'orders', owner, isHeld: false })
  })
})

describe('an error shows no secret', () => {
  let proxy: TcpProxy
  let client: RedissonClient
  const events: object[] = []
  const warnings: Error[] = []
  const traces: ChannelEvents<object>[] = []
  const remember = (warning: Error) => {
    warnings.push(warning)
  }
  let names = 0

  beforeAll(async () => {
    process.on('warning', remember)
    for (const channel of ['request', 'acquire', 'hold'])
      traces.push(new ChannelEvents(`ioredisson:${channel}`))
    proxy = await startProxy(server)
    client = await connect(proxy)
    for (const event of ['connected', 'disconnected', 'reconnected', 'lockLost'] as const)
      client.on(event, (facts) => events.push(facts))
  })

  afterAll(async () => {
    await client.shutdown()
    await proxy.close()
    for (const each of traces) each[Symbol.dispose]()
    process.off('warning', remember)
  })

  it('of any class there is', () => {
    expect(Object.keys(provoked).sort()).toEqual(errorClasses.map(([name]) => name).sort())
  })

  const ways = Object.entries(provoked).flatMap(([kind, each]) =>
    Object.entries(each).map(([how, provoke]) => ({ kind, how, provoke })),
  )

  it.each(ways)('$kind: $how', async ({ kind, provoke }) => {
    names += 1
    const error: unknown = await provoke({ server, proxy, client, name: `secret-${names}` }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    await proxy.heal()
    expect(error).toMatchObject({ name: kind })
    expect(leaksOf(error)).toEqual([])
  })

  it('nor does any event, warning or trace that came meanwhile', async () => {
    proxy.cut()
    await eventually(() => events.some((event) => 'cause' in event))
    expect(events.flatMap(leaksOf)).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)
    expect(warnings.flatMap(leaksOf)).toEqual([])
    for (const { all } of traces) {
      expect(all.length).toBeGreaterThan(0)
      expect(all.flatMap(leaksOf)).toEqual([])
    }
  })
})
