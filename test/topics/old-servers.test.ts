import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, UnsupportedCommandError, type RedissonClient } from '../../src/index.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { single } from '../support/topologies.js'

/** What Redis 6 says. */
const ANSWERS: readonly (readonly [request: RegExp, words: string])[] = [
  [/^spublish/i, 'ERR unknown command `spublish`, with args beginning with: '],
  [/^ssubscribe/i, 'ERR unknown command `ssubscribe`, with args beginning with: '],
  [/^pubsub/i, "ERR Unknown subcommand or wrong number of arguments for 'SHARDNUMSUB'. Try PUBSUB HELP."],
  [/^evalsha/i, 'ERR Error running script: @user_script: Unknown Redis command called from Lua script'],
]

describe('a sharded topic at servers before Redis 7', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options())
  })

  beforeEach(() => {
    for (const [request, words] of ANSWERS)
      for (const proxy of door.proxies)
        proxy.onRequest(request, (passing) => {
          passing.refuse(words)
        })
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it('says what it needs', async () => {
    const topic = client.getShardedTopic('orders')
    const once = client.getShardedTopic('orders', { exactlyOnce: true })
    const iterator = topic.messages()[Symbol.asyncIterator]()
    const calls = [
      topic.publish(1),
      once.publish(1),
      topic.addListener(() => undefined),
      topic.countSubscribers(),
      iterator.next(),
    ]
    for (const call of await Promise.allSettled(calls)) {
      const error: unknown = call.status === 'rejected' ? call.reason : undefined
      expect(error).toBeInstanceOf(UnsupportedCommandError)
      expect(error).toMatchObject({ code: 'UNSUPPORTED_COMMAND', needs: 'Redis 7', mayHaveRun: false })
    }
    expect(topic.countListeners()).toBe(0)
  })
})
