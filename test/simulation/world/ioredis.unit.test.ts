import { execFile } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Redis, RedisOptions } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { atReply, atRequest } from './directed.js'
import { runPings, type PingRun } from './fixtures/pinging.js'
import { ToyServer } from './fixtures/toy-server.js'
import type { Host } from './host.js'
import { install } from './install.js'
import { createWorld, type World } from './world.js'

const ADDRESS = '10.0.0.1:6379'
const STATES = ['connect', 'ready', 'close', 'reconnecting', 'end']
const HOUR_MS = 3_600_000

/** Node 22.12, on which unit tests run as well, cannot start a file of TypeScript. */
const RUNS_TYPESCRIPT = 'registerHooks' in module && Boolean(process.features.typescript)

let uninstall: () => void
let world: World | undefined
let Client: typeof Redis

beforeAll(async () => {
  uninstall = install()
  ;({ Redis: Client } = await import('ioredis'))
})

afterEach(() => {
  world?.close()
})

afterAll(() => {
  uninstall()
})

/** A world with one server and a process, and a way to open clients. */
function setUp() {
  const opened = createWorld(1)
  world = opened
  const server = new ToyServer()
  opened.listen(ADDRESS, server)
  /** Opens a client in a process, with its states as they follow each other. */
  const connect = (host: Host, options: Omit<RedisOptions, 'replyMapping'> = {}) =>
    opened.until(
      host.start(() => {
        const redis = new Client({ host: '10.0.0.1', port: 6379, ...options })
        const states: string[] = []
        redis.on('error', ({ message }: Error) => states.push(message))
        const emitter: EventEmitter = redis
        for (const state of STATES) emitter.on(state, () => states.push(state))
        return { redis, states }
      }),
    )
  return { world: opened, network: opened.network, server, host: opened.host('a'), connect }
}

describe('ioredis', () => {
  it('connects, sends a pipeline, and disconnects', async () => {
    const { world, server, host, connect } = setUp()
    const { redis, states } = await connect(host)
    const replies = host.start(async () => {
      const results = await redis.pipeline().ping().ping().echo('text').exec()
      redis.disconnect()
      return results
    })
    const expected = ['PONG', 'PONG', 'text'].map((reply) => [null, reply])
    expect(await world.until(replies)).toEqual(expected)
    await world.idle()
    expect(states).toEqual(['connect', 'ready', 'close', 'end'])
    expect(server.ran.slice(-3)).toEqual(['a: ping', 'a: ping', 'a: echo text'])
    expect(server.closed).toEqual(['a'])
  })

  it('tells what it needs of a server to connect', async () => {
    const { world, server, host, connect } = setUp()
    await connect(host)
    await world.run(1_000)
    const setInfo = ['a: client SETINFO LIB-VER 6.0.0', 'a: client SETINFO LIB-NAME ioredis']
    expect(server.ran).toEqual(['a: hello 3', ...setInfo, ...setInfo, 'a: info'])
  })

  it('reconnects after a cut, and sends again what has no reply', async () => {
    const { world, network, server, host, connect } = setUp()
    network.intercept(atRequest({ name: 'ECHO', nth: 2 }, 'cut-after'))
    const { redis, states } = await connect(host)
    const replies = host.start(() => Promise.all(['1', '2', '3'].map((word) => redis.echo(word))))
    expect(await world.until(replies)).toEqual(['1', '2', '3'])
    expect(states.filter((state) => !/ECONNRESET/.test(state))).toEqual([
      ...['connect', 'ready', 'close', 'reconnecting'],
      ...['connect', 'ready'],
    ])
    const echoed = server.ran.filter((command) => command.includes('echo'))
    expect(echoed).toEqual(['1', '2', '2', '3'].map((word) => `a: echo ${word}`))
  })

  it('keeps commands while there is no server', async () => {
    const { world, network, host, connect } = setUp()
    network.away(ADDRESS, 5_000)
    const { redis, states } = await connect(host)
    const reply = await world.until(host.start(() => redis.ping()))
    expect(reply).toBe('PONG')
    expect(world.clock.now).toBeGreaterThan(5_000)
    expect(states.slice(0, 3)).toEqual(['connect ECONNREFUSED 10.0.0.1:6379', 'close', 'reconnecting'])
  })

  it('gives up a command after its time', async () => {
    const { world, network, host, connect } = setUp()
    network.intercept(atReply({ name: 'PING' }, 'lose'))
    const { redis } = await connect(host, { commandTimeout: 30_000 })
    await world.run(1_000)
    await expect(world.until(host.start(() => redis.ping()))).rejects.toThrow('Command timed out')
    expect(world.clock.now).toBeGreaterThan(30_999)
    expect(world.clock.now).toBeLessThan(31_001)
  })

  it('gives up an attempt to connect after its time', async () => {
    const { world, network, host, connect } = setUp()
    network.intercept({ connecting: () => 'hang' })
    const { states } = await connect(host, { connectTimeout: 10_000, retryStrategy: () => null })
    await world.run(9_998)
    expect(states).toEqual([])
    await world.run(10_001)
    expect(states).toEqual(['connect ETIMEDOUT', 'close', 'end'])
  })

  it('drops a connection that is silent', async () => {
    const { world, network, host, connect } = setUp()
    const { redis, states } = await connect(host, { socketTimeout: 2_000 })
    await world.run(1_000)
    network.partition({ host: 'a' }, 'lose', 1_000)
    expect(await world.until(host.start(() => redis.ping()))).toBe('PONG')
    expect(states.find((state) => state.startsWith('Socket timeout'))).toBeDefined()
  })

  it('may end with its process at any message', async () => {
    const { world, network, server, host, connect } = setUp()
    const { redis, states } = await connect(host)
    network.intercept(atReply({ host: 'a', name: 'PING' }, () => host.stop()))
    void host.start(() => redis.ping().then(() => states.push('never')))
    await world.idle()
    expect(states).toEqual(['connect', 'ready'])
    expect(server.closed).toEqual(['a'])
  })
})

describe('a simulation', () => {
  it('is the same again from its seed, and another from another one', async () => {
    const run = await runPings(1, 60_000)
    expect(await runPings(1, 60_000)).toEqual(run)
    const others = [await runPings(2, 60_000), await runPings('1 ', 60_000)]
    expect(new Set([run, ...others].map(({ hash }) => hash)).size).toBe(3)
  })

  it.skipIf(!RUNS_TYPESCRIPT)('is the same in a process of its own', async () => {
    expect(await inProcess(1, 60_000)).toEqual(await runPings(1, 60_000))
  })

  it('lasts for an hour, of which none is real', async () => {
    const { virtualMs, replied, failed } = await runPings(3, HOUR_MS, { network: { spike: 0.01 } })
    expect(virtualMs).toBeGreaterThan(HOUR_MS)
    expect(replied).toBeGreaterThan(failed)
  })
})

const HOOKS = fileURLToPath(new URL('../../support/typescript-hooks.ts', import.meta.url))
const PROGRAM = fileURLToPath(new URL('fixtures/ping-process.ts', import.meta.url))

async function inProcess(seed: number, lastsMs: number): Promise<PingRun> {
  const args = ['--import', HOOKS, PROGRAM, String(seed), String(lastsMs)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as PingRun
}
