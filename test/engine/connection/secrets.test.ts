import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { theLauncher } from '../../support/launch/choose-launcher.js'
import { onFreePorts } from '../../support/launch/free-ports.js'
import type { Fleet } from '../../support/launch/launcher.js'
import { serverPlan } from '../../support/launch/server-plans.js'
import { addressOf } from '../../support/launch/topology.js'
import { startProxy } from '../../support/proxy.js'
import { openTlsDoor } from '../../support/tls-door.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const [server] = single.nodes
const USER = 'canary-user'
const PASSWORD = 'canary-word'
const FAST = { retryAttempts: 1, retryDelay: 1, reconnectionDelay: 5, connectTimeout: 10_000, timeout: 3000 }

/** Everything by which an error may end up in a log. */
function textOf(error: unknown): string {
  const parts: string[] = []
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const own = Reflect.ownKeys(each).map((key) => inspect(Reflect.get(each, key), { depth: Infinity }))
    parts.push(each.message, String(each.stack), JSON.stringify(each), ...own)
  }
  parts.push(inspect(error, { depth: Infinity, showHidden: true, getters: true }))
  return parts.join('\n')
}

/** The error that something rejects with, which has to be free of the words that a user keeps secret. */
async function expectDiscreet(work: Promise<unknown>, ...says: readonly string[]): Promise<void> {
  const error = await work.then(
    () => new Error('Nothing was refused'),
    (reason: unknown) => reason,
  )
  const text = textOf(error)
  expect(text).not.toMatch(/canary/i)
  expect(text).not.toContain('Nothing was refused')
  for (const words of says) expect(text).toContain(words)
}

const as = (settings: object = {}): RedissonOptions => ({
  singleServerConfig: { address: `redis://${addressOf(server)}`, ...FAST, ...settings },
})

describe('no password, user name or argument is in the error of', () => {
  it('a wrong password', async () => {
    await server.command('ACL', 'SETUSER', USER, 'on', '>another', '~*', '&*', '+@all')
    try {
      await expectDiscreet(Redisson.create(as({ username: USER, password: PASSWORD })), 'WRONGPASS')
      const url = `redis://${USER}:${PASSWORD}@${addressOf(server)}`
      await expectDiscreet(Redisson.create(url), 'WRONGPASS')
    } finally {
      await server.command('ACL', 'DELUSER', USER)
    }
  })

  it('a wrong user', async () => {
    await expectDiscreet(Redisson.create(as({ username: USER, password: PASSWORD })), 'WRONGPASS')
  })

  it('a user that may do nothing', async () => {
    await server.command(
      'ACL',
      'SETUSER',
      USER,
      'on',
      `>${PASSWORD}`,
      '~*',
      '&*',
      '+hello',
      '+info',
      '+client',
    )
    try {
      const settings = { username: USER, password: PASSWORD }
      await using client = await Redisson.create(as(settings))
      await expectDiscreet(client.getLock('a-lock').isHeldByThread('canary:1'), 'NOPERM')
      await expectDiscreet(Redisson.create(as({ ...settings, database: 3 })), 'NOPERM')
    } finally {
      await server.command('ACL', 'DELUSER', USER)
    }
  })

  it('a client of ioredis', async () => {
    const ioredis = new Redis(server.port, server.host, {
      username: USER,
      password: PASSWORD,
      lazyConnect: true,
    })
    await expectDiscreet(Redisson.create({ ioredis }), 'WRONGPASS')
    ioredis.disconnect()
  })

  it('sentinels', async () => {
    const options = sentinel.options({ ...FAST, sentinelUsername: USER, sentinelPassword: PASSWORD })
    await expectDiscreet(Redisson.create(options), 'WRONGPASS')
    await expectDiscreet(
      Redisson.create(sentinel.options({ ...FAST, username: USER, password: PASSWORD })),
      'WRONGPASS',
    )
  })

  it('a cluster', async () => {
    const options = cluster.options({ ...FAST, username: USER, password: PASSWORD })
    await expectDiscreet(Redisson.create(options), 'WRONGPASS')
  })

  it('replicated servers', async () => {
    const nodeAddresses = [`redis://${USER}:${PASSWORD}@${addressOf(server)}`]
    await expectDiscreet(Redisson.create({ replicatedServersConfig: { nodeAddresses, ...FAST } }))
  })

  it('a server that is not there', async () => {
    const [port] = await onFreePorts(1, (ports) => Promise.resolve(ports))
    const nowhere = `redis://${USER}:${PASSWORD}@127.0.0.1:${port}`
    await expectDiscreet(Redisson.create(as({ address: nowhere })), 'ECONNREFUSED')
    const noHost = `redis://${USER}:${PASSWORD}@no-such-host.invalid:6379`
    await expectDiscreet(Redisson.create(as({ address: noHost })), 'no-such-host.invalid')
  })

  it('a connection that breaks, or falls silent', { tags: ['timed'] }, async () => {
    await using proxy = await startProxy(server)
    await server.command('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all')
    try {
      const address = `redis://${USER}:${PASSWORD}@${addressOf(proxy)}`
      await using client = await Redisson.create(as({ address, timeout: 200 }))
      const causes: unknown[] = []
      client.on('disconnected', ({ cause }) => causes.push(cause))
      const lock = client.getLock('a-lock')
      proxy.stall('replies')
      await expectDiscreet(lock.isHeldByThread('canary:1'))
      proxy.refuse()
      proxy.cut()
      await expectDiscreet(lock.isHeldByThread('canary:1'))
      await eventually(() => causes.length > 0)
      await server.command('ACL', 'SETUSER', USER, 'resetpass')
      await proxy.heal()
      await eventually(() =>
        lock.isHeldByThread('canary:1').then(
          () => false,
          (error: unknown) => String(error).includes('WRONGPASS'),
        ),
      )
      await expectDiscreet(lock.isHeldByThread('canary:1'), 'WRONGPASS')
      for (const cause of causes) expect(textOf(cause)).not.toMatch(/canary/i)
    } finally {
      await server.command('ACL', 'DELUSER', USER)
    }
  })

  it('TLS with a bad key, or a wrong passphrase', async () => {
    await using door = await openTlsDoor(server)
    const singleServerConfig = { address: `rediss://127.0.0.1:${door.port}`, ...FAST }
    const canary = () => PASSWORD
    const keys = [
      { key: 'canary-key', cert: 'canary-cert' },
      { key: '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n', passphrase: PASSWORD },
      { pfx: Buffer.from('canary-pfx'), passphrase: PASSWORD },
      { key: canary as unknown as string }, // Node says what it received
    ]
    for (const tls of keys) {
      await expectDiscreet(Redisson.create({ singleServerConfig, tls }))
      await expectDiscreet(
        Redisson.create({
          clusterServersConfig: { nodeAddresses: [singleServerConfig.address], ...FAST },
          tls,
        }),
      )
    }
  })

  it.each<[string, object]>([
    ['timeout', { timeout: `${USER}:${PASSWORD}@host` }],
    ['database', { database: PASSWORD }],
    ['keepAlive', { keepAlive: PASSWORD }],
    ['retryDelay', { retryDelay: PASSWORD }],
    ['retryDelay.delay', { retryDelay: { type: 'ConstantDelay', delay: PASSWORD } }],
  ])('a text where %s is none', async (key, settings) => {
    await expectDiscreet(Redisson.create(as(settings)), `singleServerConfig.${key}`, 'got a string')
  })

  it('a text where a table of addresses is none', async () => {
    const nodeAddresses = ['redis://127.0.0.1:1']
    const natMapper = `${USER}:${PASSWORD}@host` as never
    const section = { nodeAddresses, natMapper }
    await expectDiscreet(Redisson.create({ clusterServersConfig: section }), 'natMapper')
    const folder = mkdtempSync(join(tmpdir(), 'ioredisson-'))
    const file = join(folder, 'redisson.yaml')
    const mapper = `!<org.redisson.api.HostNatMapper> {hostsMap: "${PASSWORD}"}`
    writeFileSync(
      file,
      `clusterServersConfig: {nodeAddresses: ["redis://127.0.0.1:1"], natMapper: ${mapper}}`,
    )
    await expectDiscreet(Redisson.create(file), 'hostsMap')
    rmSync(folder, { recursive: true })
  })

  it.each<[string, unknown]>([
    ['settings', { username: USER, password: PASSWORD }],
    ['a text', PASSWORD],
  ])('a second argument: %s', async (_, surplus) => {
    const { create } = Redisson as unknown as Record<'create', (...args: unknown[]) => Promise<unknown>>
    await expectDiscreet(create(`redis://${addressOf(server)}`, surplus), 'no further argument')
  })

  it('settings in the place of a client, or of options', async () => {
    const settings = { username: USER, password: PASSWORD }
    const { createRedLock } = Redisson as unknown as Record<'createRedLock', (...args: unknown[]) => unknown>
    const url = new URL(`redis://${USER}:${PASSWORD}@127.0.0.1`)
    for (const clients of [settings, [settings], url, [url]]) {
      const called = Promise.resolve().then(() => createRedLock(clients, 'lock'))
      await expectDiscreet(called, 'clients')
    }
    await using client = await Redisson.create(as())
    const lock = client.getLock('lock') as unknown as Record<
      'tryLock',
      (...args: unknown[]) => Promise<unknown>
    >
    await expectDiscreet(lock.tryLock(1, 1, settings), 'no further argument')
  })

  it('a file that cannot be read, or understood', async () => {
    await expectDiscreet(Redisson.create(`${USER}:${PASSWORD}@127.0.0.1:6379`))
    await expectDiscreet(Redisson.create(`${PASSWORD}@127.0.0.1:6379`))
    await expectDiscreet(Redisson.create(`${USER}:${PASSWORD}`))
    await expectDiscreet(Redisson.create(`redis:${USER}:${PASSWORD}`))
    const folder = mkdtempSync(join(tmpdir(), 'ioredisson-'))
    const file = join(folder, 'redisson.yaml')
    writeFileSync(file, `singleServerConfig:\n  password: "${PASSWORD}\n`)
    await expectDiscreet(Redisson.create(file))
    rmSync(folder, { recursive: true })
  })
})

describe('a command that the server does not know', () => {
  let fleet: Fleet

  beforeAll(async () => {
    const launcher = await theLauncher()
    const hidden = ['hello', 'auth', 'eval', 'evalsha'].flatMap((name) => ['--rename-command', name, ''])
    fleet = await onFreePorts(1, (ports) =>
      launcher.launch(
        ports.map((port) => {
          const plan = serverPlan(launcher, port)
          return { ...plan, arguments: [...plan.arguments, ...hidden] }
        }),
      ),
    )
  })

  afterAll(() => fleet.stop())

  it('is not repeated with its arguments', async () => {
    const [node] = fleet.nodes
    if (node === undefined) throw new Error('The server has not started')
    const address = `redis://${addressOf(node)}`
    await expectDiscreet(
      Redisson.create(as({ address, username: USER, password: PASSWORD })),
      'unknown command',
    )
    await using client = await Redisson.create(as({ address }))
    await expectDiscreet(client.getLock('a-lock').isHeldByThread('canary:1'), 'unknown command')
  })
})
