import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Less than the pause before a request is sent again, be it of ioredis or of this library. */
const WAIT_MS = 50

type Call = (client: RedissonClient, name: string) => Promise<unknown>

const calls: readonly (readonly [what: string, call: Call])[] = [
  ['tryLock', (client, name) => client.getLock(name).tryLock(WAIT_MS)],
  ['a semaphore', (client, name) => client.getSemaphore(name).tryAcquire({ waitMs: WAIT_MS })],
  ['a rate limiter', (client, name) => client.getRateLimiter(name).tryAcquire({ waitMs: WAIT_MS })],
]

describe.each(slottedTopologies)('a server that refuses for longer than a call waits ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let names = 0

  noLeaks(topology, { except: /^redisson__once:/ })

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options({ timeout: 600_000, retryDelay: 600_000 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const words =
    topology.kind === 'cluster'
      ? ['CLUSTERDOWN The cluster is down', 'TRYAGAIN Multiple keys request', 'BUSY Redis is busy']
      : ['LOADING Redis is loading', 'READONLY You can not write', 'BUSY Redis is busy']

  // A refusal that takes longer than the call waits is none that it has heard.
  it.each(words.flatMap((said) => calls.map(([what, call]) => [said, what, call] as const)))(
    'is reported as not ready: %s, %s',
    { tags: ['timed'] },
    async (said, _, call) => {
      const name = `refused-${String((names += 1))}`
      const traps = door.proxies.map((proxy) =>
        proxy.onRequest(
          name,
          (passing) => {
            passing.refuse(said)
          },
          { times: 100 },
        ),
      )
      const error: unknown = await call(client, name).catch((reason: unknown) => reason)
      for (const trap of traps) trap[Symbol.dispose]()
      expect(error).toMatchObject({
        code: 'SERVER_NOT_READY',
        mayHaveRun: false,
        message: expect.stringContaining(said) as string,
      })
    },
  )
})
