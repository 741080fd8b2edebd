import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const CODE = `
  redis.register_function('increment', function(keys) return redis.call('incr', keys[1]) end)
  redis.register_function{
    function_name = 'read', callback = function(keys) return redis.call('get', keys[1]) end, flags = { 'no-writes' }
  }`

const calls: readonly CountingCall[] = [
  {
    what: 'call',
    prepare: async (client, name) => {
      await client.getFunction().loadAndReplace('counting', CODE)
      await client.getBucket(name).set(1)
    },
    call: (client, name) => client.getFunction().call('READ_WRITE', 'increment', 'INTEGER', [name]),
    answer: 2,
    states: [1, 2],
  },
]

afterAll(async () => {
  await single.nodes[0].command('FUNCTION', 'FLUSH')
})

testLostReplies('functions', calls, (client: RedissonClient, name) => client.getBucket(name).get(), {
  exactlyOnce: false,
})

describe('functions whose replies are lost', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(
      door.options({ timeout: 3_000, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }),
    )
    straight = await Redisson.create(single.options())
  })

  beforeEach(async () => {
    await straight.getFunction().flush()
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await straight.getKeys().delete('read-again')
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /** Cuts off the reply to the next request of that kind. */
  const loseReply = (request: RegExp) => {
    for (const proxy of door.proxies)
      proxy.onReply(request, (passing) => {
        passing.cut()
      })
  }

  it('are called again if they only read', async () => {
    await straight.getFunction().load('counting', CODE)
    await straight.getBucket('read-again').set('there')
    loseReply(/^fcall_ro/i)
    expect(await client.getFunction().call('READ_ONLY', 'read', 'VALUE', ['read-again'])).toBe('there')
  })

  it('are loaded once, and replaced, flushed, dumped and listed again', async () => {
    const fn = client.getFunction()
    loseReply(/^function load/i)
    await expect(fn.load('counting', CODE)).rejects.toMatchObject({ mayHaveRun: true })
    loseReply(/^function load/i)
    await fn.loadAndReplace('counting', CODE)
    loseReply(/^function list/i)
    expect(await fn.list()).toHaveLength(1)
    loseReply(/^function dump/i)
    const state = await fn.dump()
    loseReply(/^function flush/i)
    await fn.flush()
    expect(await fn.list()).toEqual([])
    loseReply(/^function restore/i)
    await expect(fn.restore(state)).rejects.toMatchObject({ mayHaveRun: true })
    loseReply(/^function restore/i)
    await fn.restoreAndReplace(state)
    loseReply(/^function restore/i)
    await fn.restoreAfterFlush(state)
    expect(await fn.list()).toHaveLength(1)
    loseReply(/^function delete/i)
    await expect(fn.delete('counting')).rejects.toMatchObject({ mayHaveRun: true })
    expect(await fn.list()).toEqual([])
  })

  it('say what they need, at a server before Redis 7', async () => {
    const fn = client.getFunction()
    const state = await straight.getFunction().dump()
    const old = [
      () => fn.call('READ_WRITE', 'increment', 'INTEGER', ['read-again']),
      () => fn.call('READ_ONLY', 'read', 'VALUE', ['read-again']),
      () => fn.load('counting', CODE),
      () => fn.loadAndReplace('counting', CODE),
      () => fn.delete('counting'),
      () => fn.list(),
      () => fn.flush(),
      () => fn.dump(),
      () => fn.restore(state),
      () => fn.restoreAndReplace(state),
      () => fn.restoreAfterFlush(state),
    ]
    for (const call of old) {
      for (const proxy of door.proxies)
        proxy.onRequest(/^f(unction|call)/i, (passing) => {
          const [command = ''] = passing.request.split(' ')
          passing.refuse(`ERR unknown command \`${command}\`, with args beginning with: `)
        })
      await expect(call()).rejects.toMatchObject({
        code: 'UNSUPPORTED_COMMAND',
        needs: 'Redis 7',
        mayHaveRun: false,
      })
    }
  })
})
