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

const EVICT = 0x80

describe.each(slottedTopologies)('a local cached map cache on the wire ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)

  /** What is published at the channel of a map from now on, without ids. */
  const listen = async (name: string) => {
    const messages: Buffer[] = []
    const { other } = clients
    const options = { codec: bytesCodec() }
    const channel = `{${name}}:topic`
    const topic =
      look.publish === 'spublish' ? other.getShardedTopic(channel, options) : other.getTopic(channel, options)
    const subscription = await topic.addListener((message) => messages.push(Buffer.from(message)))
    const demand = async (expected: string[]) => {
      await eventually(() => {
        expect(messages.length).toBeGreaterThanOrEqual(expected.length)
      })
      const skipped = (message: Buffer) => (message[0] === EVICT ? 1 : message[0] === 0 ? 33 : 17)
      const said = messages.map(
        (message) => message.toString('latin1', 0, 1) + message.toString('latin1', skipped(message)),
      )
      expect(said).toEqual(expected)
    }
    return { demand, [Symbol.asyncDispose]: () => subscription.unsubscribe() }
  }

  const one = (key: string) => `\x01${int32(1)}${hash(key)}`

  it('has the entries of a map cache, and says what has changed as a local cached map does', async () => {
    const name = 'wire-local-cache'
    await using channel = await listen(name)
    await using map = clients.mine.getLocalCachedMapCache(name)
    await map.put('hello', 1, { maxIdleMs: 5_000 })
    const plain = clients.other.getMapCache(name)
    expect(await look.ask(name, 'HSTRLEN', 'hello')).toBe(17) // the record of a map cache: two numbers of eight bytes, and the value
    expect(Object.keys(await look.membersOf(`redisson__idle__set:{${name}}`))).toEqual([
      Buffer.from('hello').toString('hex'),
    ])
    expect(await plain.get('hello')).toBe(1)
    await map.fastPut('é', 'x', { ttlMs: 600_000 })
    await map.putAll({ a: 1, b: 2 })
    await map.addAndGet('a', 1)
    await map.expireEntry('a', { ttlMs: 600_000 })
    await map.expireEntryIfNotSet('a', { ttlMs: 600_000 })
    await map.remove('b')
    await map.fastRemove('a', 'é', 'none')
    await map.remove('none')
    await map.putIfExists('none', 1)
    await map.clear()
    await map.clear()
    await map.put('a', 1)
    await map.delete()
    await map.delete()
    await channel.demand([
      one('hello'),
      one('é'),
      `\x01${int32(2)}${hash('a')}${hash('b')}`,
      one('a'),
      one('a'),
      one('b'),
      `\x01${int32(3)}${hash('a')}${hash('é')}${hash('none')}`,
      '\0\0',
      one('a'),
      '\0\0',
    ])
  })

  it('says the new values with UPDATE, of entries that do not expire', async () => {
    const name = 'wire-local-cache-update'
    await using channel = await listen(name)
    await using map = clients.mine.getLocalCachedMapCache(name, { syncStrategy: 'UPDATE' })
    await map.put('hello', 'é')
    await map.put('hello', 'é', { ttlMs: 600_000 })
    await map.putAll({ a: 1, b: [2] })
    await map.putAll({ a: 1 }, { maxIdleMs: 600_000 })
    await map.putIfExists('a', 2)
    await map.delete()
    await channel.demand([
      `\x02${sized('hello')}${sized('"é"')}`,
      one('hello'),
      `\x02${sized('a')}${sized('1')}${sized('b')}${sized('[2]')}`,
      one('a'),
      one('a'),
      '\0\0',
    ])
  })

  it('says which entries were removed to make room', async () => {
    const name = 'wire-local-cache-room'
    await using channel = await listen(name)
    await using map = clients.mine.getLocalCachedMapCache(name)
    await map.put('é', 1)
    await map.setMaxSize(1)
    await map.put('b', 1)
    await map.delete()
    await channel.demand([one('é'), one('b'), `\x80${sized('é')}`, '\0\0'])
  })

  it('says nothing with NONE', async () => {
    const name = 'wire-local-cache-none'
    await using map = clients.mine.getLocalCachedMapCache(name, { syncStrategy: 'NONE' })
    await map.put('hello', 1)
    await map.setMaxSize(1)
    await map.put('a', 1)
    await map.clear()
    await map.delete()
    expect(await look.messagesAt(`{${name}}:topic`)).toEqual([])
  })
})
