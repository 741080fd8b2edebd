import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Call } from '../../src/command/operation/operation.js'
import { argumentsOf, type Script } from '../../src/command/operation/script.js'
import { acquire, release } from '../../src/locks/reentrant/lock.scripts.js'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Take } from './contender.js'
import { nothingButLocks } from './nothing-but-locks.js'

/** What every script that counts takes last: the first copy of a request need not be remembered. */
const FIRST_COPY = 0

const { 'red-lock': _, ...cannot } = nothingButLocks('two scripts are a plain lock')

/**
 * The two scripts of this library, sent by ioredis and nothing else: what the library adds to them is its own time. A red lock is both
 * of them at each server, and a wait for the majority.
 */
export const ownScripts: NodeContender = {
  name: 'own two scripts',
  settings: 'the scripts of this library that take and release a lock, sent by plain ioredis',
  cannot: { ...cannot, 'renewed-lock': 'nothing renews it' },

  async open(servers, { leaseMs }) {
    const clients = await connectEach(servers)
    const scripts = [acquire, release]
    await Promise.all(clients.flatMap((redis) => scripts.map(({ source }) => redis.script('LOAD', source))))
    return {
      takes: { lock: takeAt(clients.slice(0, 1), leaseMs), 'red-lock': takeAt(clients, leaseMs) },
      close: () => quitEach(clients),
    }
  },
}

/** Takes a lock at most of some servers. */
function takeAt(clients: readonly Redis[], leaseMs: number): Take {
  const client = randomUUID()
  let requests = 0
  return async (name) => {
    const request = (): string => `{${name}}:${client}:${String((requests += 1))}`
    const counts = { owner: `${client}:${String(requests)}`, holds: 1, stale: 0, leaseMs }
    const channel = `redisson_lock__channel:{${name}}`
    await byMajority(clients, async (redis) => {
      const keys = { lock: name, request: request() }
      const reply = await run(redis, acquire, { keys, args: counts })
      if (reply !== 1) throw new Error(`Expected ${name} to be free, but it is taken`)
    })
    return () =>
      byMajority(clients, (redis) => {
        const keys = { lock: name, channel, request: request() }
        return run(redis, release, { keys, args: counts })
      })
  }
}

function run<K extends string, A extends string>(
  redis: Redis,
  script: Script<K, A, unknown>,
  call: Call<K, A>,
): Promise<unknown> {
  const [sha = '', count = 0, ...values] = argumentsOf(script.sha, script, call, {
    publish: 'publish',
    attempt: 1,
  })
  return redis.evalsha(String(sha), Number(count), ...values, FIRST_COPY)
}

/** Asks all servers at once; resolves as soon as most of them have answered. */
function byMajority(clients: readonly Redis[], ask: (redis: Redis) => Promise<unknown>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let needed = Math.floor(clients.length / 2) + 1
  const count = (): void => {
    needed -= 1
    if (needed === 0) resolve()
  }
  for (const redis of clients) ask(redis).then(count, reject)
  return promise
}
