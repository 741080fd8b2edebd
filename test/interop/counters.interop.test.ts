import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import type { SingleTopology } from '../support/launch/topology.js'
import { startSingle } from '../support/servers.js'
import { JavaPeer, type JavaThread } from './java-peer.js'

const START_WITHIN_MS = 120_000

describe.skipIf(inject('javaPeer').missing !== undefined)('counters of Node and Java', () => {
  let server: SingleTopology
  let client: RedissonClient
  let peer: JavaPeer
  let java: JavaThread

  beforeAll(async () => {
    ;[server, peer] = await Promise.all([startSingle(), JavaPeer.start()])
    client = await Redisson.create(server.options())
    java = (await peer.open(server)).thread('counters')
  }, START_WITHIN_MS)

  afterAll(async () => {
    await client.shutdown()
    await peer.end()
    await server.stop()
  })

  it('are the same integers', async () => {
    const inJava = (...call: [string, ...unknown[]]) => java.call(['getAtomicLong', 'long'], call)
    const counter = client.getAtomicLong('long')
    expect(await counter.addAndGet(5)).toBe(5)
    expect(await inJava('incrementAndGet')).toBe(6)
    expect(await counter.getAndIncrement()).toBe(6)
    expect(await inJava('compareAndSet', 7, -10)).toBe(true)
    expect(await counter.setIfLess(-9, 3)).toBe(true)
    expect(await inJava('getAndSet', 8)).toBe(3)
    expect(await counter.compareAndSet(8, 9)).toBe(true)
    expect(await inJava('getAndDelete')).toBe(9)
    expect(await counter.get()).toBe(0)
  })

  it('hand out ids of blocks of their own', async () => {
    // The peer has a generator of its own for each call, and so takes a block each time.
    const inJava = (...call: [string, ...unknown[]]) => java.call(['getIdGenerator', 'ids'], call)
    const ids = client.getIdGenerator('ids')
    expect(await ids.tryInit(12, 10)).toBe(true)
    expect(await inJava('tryInit', 1, 3)).toBe(false)
    expect(await ids.nextId()).toBe(12)
    expect(await inJava('nextId')).toBe(22)
    expect(await ids.nextId()).toBe(13)
    expect(await inJava('nextId')).toBe(32)
    expect(await inJava('delete')).toBe(true)
    expect(await server.nodes[0].command('KEYS', '*ids*')).toEqual([])
    expect(await ids.nextId()).toBe(14)
    await inJava('tryInit', 70, 2)
    expect(await ids.delete()).toBe(true)
    expect(await inJava('nextId')).toBe(1)
    expect(await ids.nextId()).toBe(5001)
    await inJava('delete')
    expect(await inJava('tryInit', 70, 2)).toBe(true)
    expect(await ids.tryInit(70, 2)).toBe(false)
    expect(await inJava('nextId')).toBe(70)
    expect(await server.nodes[0].command('MGET', 'ids', '{ids}:allocation')).toEqual(['72', '2'])
  })

  it.each([0, -0, 1, -1.5, 1e7, 12_345_678.5, 1e21, 0.001, 1e-4, 1.25e-5, 0.1 + 0.2])(
    'are the same number %d, in the same bytes',
    async (value) => {
      const inJava = (...call: [string, ...unknown[]]) => java.call(['getAtomicDouble', 'double'], call)
      const written = () => server.nodes[0].command('GET', 'double')
      const counter = client.getAtomicDouble('double')
      await inJava('set', value)
      const text = await written()
      expect(await counter.getAndSet(1)).toBe(value === 0 ? 0 : value)
      await counter.set(value)
      expect(await written()).toBe(text)
      expect(await inJava('get')).toBe(value === 0 ? 0 : value)
      expect(await inJava('compareAndSet', value, 2.5)).toBe(true)
      expect(await counter.getAndDelete()).toBe(2.5)
    },
  )
})
