import { describe, expect, it } from 'vitest'
import { bytesCodec } from '../../../src/index.js'
import { highwayHash128 } from '../../../src/util/hash/highway-hash.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const hash = (key: string) => highwayHash128(Buffer.from(key)).toString('latin1')

/** Four bytes, the highest first. */
const int32 = (value: number) => String.fromCharCode(0, 0, value >> 8, value & 255)

const sized = (text: string) => {
  const bytes = Buffer.from(text).toString('latin1')
  return int32(bytes.length) + bytes
}

const HASH_OF_HELLO = '7fd1d0bcd0c085e170f5d2de26f6a7d9'

describe.each(slottedTopologies)('a local cached map on the wire ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)

  /** What is published at a channel from now on, as the kind of channels is here. */
  const listen = async (channel: string) => {
    const messages: Buffer[] = []
    const { other } = clients
    const options = { codec: bytesCodec() }
    const topic =
      look.publish === 'spublish' ? other.getShardedTopic(channel, options) : other.getTopic(channel, options)
    const subscription = await topic.addListener((message) => messages.push(Buffer.from(message)))
    return {
      messages,
      /** Without the ids of senders and requests, which are of chance. */
      said: () =>
        messages.map((message) => {
          const rest = message.toString('latin1', message[0] === 0 ? 33 : 17)
          return message.toString('latin1', 0, 1) + rest
        }),
      [Symbol.asyncDispose]: () => subscription.unsubscribe(),
    }
  }

  const demand = async ({ said }: { said: () => string[] }, messages: string[]) => {
    await eventually(() => {
      expect(said().length).toBeGreaterThanOrEqual(messages.length)
    })
    expect(said()).toEqual(messages)
  }

  it.each([
    ['wire-local', '{wire-local}:topic', 'redisson__cache_updates_log:{wire-local}'],
    ['{wire}:local', '{wire}:local:topic', 'redisson__cache_updates_log:{wire}:local'],
  ])('says of %s what has changed, as Redisson does', async (name, topic, log) => {
    await using channel = await listen(topic)
    await using map = clients.mine.getLocalCachedMap(name)
    await map.put('hello', 1)
    expect(await look.ask(name, 'HGETALL')).toEqual(['hello', '1'])
    await map.fastPut('é', 'x')
    await map.putAll({ a: 1, b: 2 })
    await map.addAndGet('a', 1)
    await map.remove('b')
    await map.fastRemove('a', 'é', 'none')
    await map.remove('none')
    await map.putIfExists('none', 1)
    await map.delete()
    await map.delete()
    const one = (key: string) => `\x01${int32(1)}${hash(key)}`
    await demand(channel, [
      one('hello'),
      one('é'),
      `\x01${int32(2)}${hash('a')}${hash('b')}`,
      one('a'),
      one('b'),
      `\x01${int32(3)}${hash('a')}${hash('é')}${hash('none')}`,
      '\0\0',
    ])
    expect(Buffer.from(hash('hello'), 'latin1').toString('hex')).toBe(HASH_OF_HELLO)
    expect(await look.ask(log, 'EXISTS')).toBe(0)
  })

  it('says the new values with UPDATE', async () => {
    await using channel = await listen('{wire-local-update}:topic')
    await using map = clients.mine.getLocalCachedMap('wire-local-update', { syncStrategy: 'UPDATE' })
    await map.put('hello', 'é')
    await map.putAll({ a: 1, b: [2] })
    await map.remove('a')
    await map.delete()
    await demand(channel, [
      `\x02${sized('hello')}${sized('"é"')}`,
      `\x02${sized('a')}${sized('1')}${sized('b')}${sized('[2]')}`,
      `\x01${int32(1)}${hash('a')}`,
      '\0\0',
    ])
  })

  it('says nothing with NONE', async () => {
    await using map = clients.mine.getLocalCachedMap('wire-local-none', { syncStrategy: 'NONE' })
    await map.put('hello', 1)
    await map.delete()
    expect(await look.messagesAt('{wire-local-none}:topic')).toEqual([])
  })

  it('notes what has changed with LOAD', async () => {
    const name = 'wire-local-load'
    const log = `redisson__cache_updates_log:{${name}}`
    await using map = clients.mine.getLocalCachedMap(name, { reconnectionStrategy: 'LOAD' })
    const before = Date.now()
    await look.ask(log, 'ZADD', before - 661_000, 'old')
    await map.put('hello', 1)
    await map.putAll({ a: 1 })
    const members = Object.entries(await look.membersOf(log))
    expect(members.map(([member]) => member.slice(0, 34)).toSorted()).toEqual(
      [
        `${HASH_OF_HELLO}3a`,
        `${Buffer.from(hash('a'), 'latin1').toString('hex')}3a`,
        `${'00'.repeat(16)}3a`,
      ].toSorted(),
    )
    for (const [member, score] of members) {
      expect(member).toHaveLength(50)
      if (score !== 'inf') expect(Math.abs(Number(score) - before)).toBeLessThan(60_000)
    }
    await map.expire(60_000)
    expect(Number(await look.ask(log, 'PTTL'))).toBeGreaterThan(0)
    await expect(map.dump()).rejects.toThrow(TypeError)
    await map.delete()
    expect(await look.ask(log, 'EXISTS')).toBe(0)
  })

  it('asks all clients to clear their caches as Redisson does, and confirms it', async () => {
    const name = 'wire-local-clear'
    await using channel = await listen(`{${name}}:topic`)
    await using map = clients.mine.getLocalCachedMap(name)
    await using other = clients.other.getLocalCachedMap(name)
    await Promise.all([map.preloadCache(), other.preloadCache()])
    await map.put('a', 1)
    await other.get('a')
    expect(await map.clearLocalCache()).toBe(true)
    expect(await other.cachedKeySet()).toEqual([])
    await eventually(() => {
      expect(channel.messages).toHaveLength(2)
    })
    const message = channel.messages[1] ?? Buffer.alloc(0)
    expect(message).toHaveLength(34)
    expect([message[0], message[33]]).toEqual([0, 1])
    expect(message.toString('hex', 1, 7)).toBe('10ed15' + '000000') // the mark of this library, and the database
    const semaphore = `${name}:clear:${message.toString('hex', 17, 33)}`
    await eventually(async () => {
      expect(await look.ask(semaphore, 'EXISTS')).toBe(0)
    })
    await map.delete()
  })
})
