import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashSlot } from '../../../src/connection/requests/hash-slot.js'
import { Request } from '../../../src/connection/requests/request.js'
import { cluster } from '../../support/topologies.js'

const NAMES = [
  '',
  'orders',
  '{}',
  '{}{a}',
  'a{}{b}c',
  '{}x}',
  'a{}b}c',
  '{a}{b}',
  '{{a}}',
  '}{a}',
  'a{',
  'größe{😀}',
]

/** Names of what may be braces, and of any characters or bytes. */
const text = fc.string({ unit: fc.constantFrom('{', '}', 'a', 'b', 'ü', '😀') })
const anyText = fc.string({ unit: 'binary' }).filter((name) => name.isWellFormed())
const bytes = fc.array(fc.constantFrom(0x7b, 0x7d, 0x61, 0xc3, 0xff)).map((list) => Buffer.from(list))
const anyBytes = fc.uint8Array().map((list) => Buffer.from(list))

describe('the hash slot of a key', () => {
  let server: Redis

  beforeAll(() => {
    const [node] = cluster.nodes
    server = new Redis({ host: node?.host ?? '', port: node?.port ?? 0 })
  })

  afterAll(() => {
    server.disconnect()
  })

  const slotAtServer = (key: string | Buffer) => server.call('CLUSTER', 'KEYSLOT', key)
  const slotOfRequest = (name: string, ...args: (string | Buffer)[]) =>
    new Request(name, args, () => undefined).getSlot()

  it.each(NAMES)('%j is the one that Redis names', async (name) => {
    expect(hashSlot(name)).toBe(await slotAtServer(name))
    expect(hashSlot(Buffer.from(name))).toBe(await slotAtServer(name))
  })

  it('is the one that Redis names for any key', async () => {
    const anyKey = fc.array(fc.oneof(text, anyText, bytes, anyBytes), { minLength: 10, maxLength: 50 })
    const property = fc.asyncProperty(anyKey, async (keys) => {
      expect(keys.map(hashSlot)).toEqual(await Promise.all(keys.map(slotAtServer)))
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it.each(NAMES.slice(1))('leads requests about %j', (name) => {
    const slot = hashSlot(name)
    expect(slotOfRequest('get', name)).toBe(slot)
    expect(slotOfRequest('get', Buffer.from(name))).toBe(slot)
    expect(slotOfRequest('evalsha', 'sha', '1', name, 'argument')).toBe(slot)
    for (const publish of ['publish', 'spublish']) expect(slotOfRequest(publish, name, 'text')).toBe(slot)
    expect(slotOfRequest('pubsub', 'NUMSUB', name)).toBe(slot)
  })

  it('leads no request without a key', () => {
    expect(slotOfRequest('ping')).toBeNull()
    expect(slotOfRequest('pubsub', 'CHANNELS')).toBeNull()
  })
})
