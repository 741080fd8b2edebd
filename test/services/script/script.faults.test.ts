import { describe, expect, it } from 'vitest'
import { Redisson, UnsupportedCommandError, type RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const INCREMENT = "return redis.call('incr', KEYS[1])"

const calls: readonly CountingCall[] = [
  {
    what: 'eval',
    prepare: (client, name) => client.getBucket(name).set(1),
    call: (client, name, exactlyOnce) =>
      client.getScript({ exactlyOnce }).eval('READ_WRITE', INCREMENT, 'INTEGER', [name]),
    answer: 2,
    states: [1, 2],
  },
]

testLostReplies('scripts', calls, (client: RedissonClient, name) => client.getBucket(name).get())

describe('a script that has run, and whose reply is lost', () => {
  noLeaks(single)

  const lost = async (lua: string) => {
    const door = await proxied(single)
    await using straight = await Redisson.create(single.options())
    const client = await Redisson.create(door.options({ retryDelay: 20, reconnectionDelay: 10 }))
    const NAME = 'lost-reply-of-a-script'
    await straight.getBucket(NAME).delete()
    const evaluate = () => client.getScript({ exactlyOnce: true }).eval('READ_WRITE', lua, 'MULTI', [NAME])
    try {
      const kept: unknown = await evaluate().catch((error: unknown) => error)
      const { struck } = strike(door.proxies, NAME, ['is cut off', 'reply', (passing) => passing.cut()])
      const repeated: unknown = await evaluate().catch((error: unknown) => error)
      await struck
      return { kept, repeated, runs: await straight.getAtomicLong(NAME).getAndDelete() }
    } finally {
      await client.shutdown()
      await door.stop()
    }
  }
  const COUNT = "redis.call('incr', KEYS[1])"

  it.each([
    ["error('mine')", 'mine'],
    ["return redis.error_reply('MINE really')", 'MINE really'],
    ["return redis.call('lpush', KEYS[1], 1)", 'WRONGTYPE'],
    ["return redis.pcall('lpush', KEYS[1], 1)", 'WRONGTYPE'],
    ['return nothing.there', 'nothing'],
  ])('has failed once, with the same error: %s', async (lua, words) => {
    const { kept, repeated, runs } = await lost(`${COUNT} ${lua}`)
    expect(runs).toBe(2)
    expect(repeated).toMatchObject({ mayHaveRun: true, message: expect.stringContaining(words) as string })
    expect(repeated).toMatchObject({ code: (kept as { code: string }).code })
  })

  it('has the same list, as deep as it can be kept', async () => {
    const { kept, repeated, runs } = await lost(
      `${COUNT} local list = { '1' } for _ = 1, 15 do list = { list } end return list`,
    )
    expect(repeated).toEqual(kept)
    expect(runs).toBe(2)
  })

  it('has the same list, however large', async () => {
    const { kept, repeated, runs } = await lost(`${COUNT} return { string.rep('1', 1000000) }`)
    expect(repeated).toEqual(kept)
    expect(runs).toBe(2)
  })

  it.each([
    ['is nested deeper', "local list = { '1' } for _ = 1, 16 do list = { list } end return list"],
    ['is in another database', "redis.call('select', 1) return { 1 }"],
  ])('rejects where its reply %s', async (_, lua) => {
    const { repeated, runs } = await lost(`${COUNT} ${lua}`)
    expect(repeated).toMatchObject({
      code: 'SCRIPT',
      mayHaveRun: true,
      message: expect.stringContaining('ANSWERLOST') as string,
    })
    expect(runs).toBe(2)
  })
})

describe('a script that only reads, at a server before Redis 7', () => {
  it('says what it needs', async () => {
    await using client = await Redisson.create(single.options())
    await client.getScript().scriptFlush()
    const door = await proxied(single)
    const old = await Redisson.create(door.options())
    for (const proxy of door.proxies)
      proxy.onRequest(/^evalsha_ro/i, (passing) => {
        passing.refuse('ERR unknown command `evalsha_ro`, with args beginning with: ')
      })
    await expect(old.getScript().eval('READ_ONLY', 'return 1', 'INTEGER')).rejects.toThrow(
      UnsupportedCommandError,
    )
    expect(await old.getScript().eval('READ_WRITE', 'return 1', 'INTEGER')).toBe(1)
    await old.shutdown()
    await door.stop()
  })
})
