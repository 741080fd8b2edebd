import { describe, expect, it } from 'vitest'
import { bytesCodec, CrossSlotError, WrongTypeError } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** Twelve times the standard error: the same values always have the same estimate. */
const TOLERANCE = 0.1

describe.each(slottedTopologies)('a HyperLogLog ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const at = (name: string) => `{log-${topology.kind}}:${name}`
  const log = (name: string) => clients.mine.getHyperLogLog(at(name))

  it('counts different values, of all clients', async () => {
    const visitors = log('visitors')
    expect(await visitors.count()).toBe(0)
    expect(await visitors.isExists()).toBe(false)
    expect(await visitors.add('ada')).toBe(true)
    expect(await visitors.add('ada')).toBe(false)
    expect(await clients.other.getHyperLogLog(visitors.name).addAll(['ada', { name: 'bob' }, 3])).toBe(true)
    expect(await visitors.addAll([3, 'ada'])).toBe(false)
    expect(await visitors.count()).toBe(3)
    expect(await visitors.delete()).toBe(true)
    expect(await visitors.count()).toBe(0)
  })

  it('takes no values as none', async () => {
    expect(await log('none').addAll([])).toBe(false)
    expect(await log('none').isExists()).toBe(false)
  })

  it('estimates many values, which it is given by several requests', async () => {
    const many = log('many')
    const values = Array.from({ length: MANY }, (_, index) => `value-${String(index)}`)
    expect(await many.addAll(values)).toBe(true)
    expect(Math.abs((await many.count()) - MANY)).toBeLessThan(MANY * TOLERANCE)
    expect(await many.addAll(values)).toBe(false)
    await many.delete()
  })

  it('counts several together, and merges them', async () => {
    const [one, two, three] = [log('one'), log('two'), log('three')]
    await one.addAll(['a', 'b'])
    await two.addAll(['b', 'c'])
    expect(await one.countWith([two.name])).toBe(3)
    expect(await one.countWith([two.name, three.name])).toBe(3)
    expect(await one.countWith([])).toBe(2)
    expect(await three.countWith(new Set([one.name, two.name]))).toBe(3)
    expect(await three.isExists()).toBe(false)
    await three.mergeWith([one.name, two.name])
    expect(await three.count()).toBe(3)
    await three.mergeWith([at('absent')])
    expect(await three.count()).toBe(3)
    expect(await one.count()).toBe(2)
    for (const each of [one, two, three]) expect(await each.delete()).toBe(true)
  })

  it('counts values by what the codec makes of them', async () => {
    const bytes = clients.mine.getHyperLogLog<Uint8Array>(at('bytes'), { codec: bytesCodec() })
    expect(await bytes.addAll([Buffer.of(0xff), Buffer.of(0xfe), Buffer.of(0xff)])).toBe(true)
    expect(await bytes.count()).toBe(2)
    await bytes.delete()
  })

  it('refuses what is no value, and sends nothing', async () => {
    const refused = log('refused')
    await expect(refused.add(undefined)).rejects.toThrow(TypeError)
    await expect(refused.addAll(['a', undefined])).rejects.toThrow(TypeError)
    await expect(refused.addAll(5 as unknown as [])).rejects.toThrow(TypeError)
    await expect(refused.add(() => 1)).rejects.toMatchObject({ code: 'CODEC' })
    await expect(refused.mergeWith([])).rejects.toThrow(RangeError)
    await expect(refused.countWith([''])).rejects.toThrow(TypeError)
    expect(await refused.isExists()).toBe(false)
  })

  it('refuses keys of other kinds', async () => {
    const wrong = log('wrong')
    const list = clients.mine.getList(wrong.name)
    await list.add(1)
    await expect(wrong.add('a')).rejects.toBeInstanceOf(WrongTypeError)
    await expect(wrong.count()).rejects.toBeInstanceOf(WrongTypeError)
    await expect(log('right').mergeWith([wrong.name])).rejects.toBeInstanceOf(WrongTypeError)
    await list.delete()
    const bucket = clients.mine.getBucket(wrong.name)
    await bucket.set('a text')
    await expect(wrong.add('a')).rejects.toBeInstanceOf(WrongTypeError)
    await expect(wrong.count()).rejects.toBeInstanceOf(WrongTypeError)
    await expect(log('right').countWith([wrong.name])).rejects.toBeInstanceOf(WrongTypeError)
    await bucket.delete()
  })

  it('belongs to batches', async () => {
    const [added, count] = await clients.mine.batch((batch) => {
      const inBatch = batch.getHyperLogLog<string>(at('batch'))
      return [inBatch.addAll(['a', 'b']), inBatch.count()]
    })
    expect([added, count]).toEqual([true, 2])
    const many = Array.from({ length: MANY }, (_, index) => index)
    await expect(
      clients.mine.batch((batch) => [batch.getHyperLogLog<number>(at('batch')).addAll(many)]),
    ).rejects.toThrow('5000')
    await log('batch').delete()
  })
})

describe('HyperLogLogs of several slots', () => {
  const clients = twoClients(cluster)

  it('are not counted or merged together', async () => {
    const log = clients.mine.getHyperLogLog('{log-slot}:1')
    await expect(log.countWith(['{other-log-slot}:1'])).rejects.toBeInstanceOf(CrossSlotError)
    await expect(log.mergeWith(['{other-log-slot}:1'])).rejects.toBeInstanceOf(CrossSlotError)
  })
})
