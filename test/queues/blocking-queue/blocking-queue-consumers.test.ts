import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bytesCodec, CodecError, stringCodec } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { uncaughtExceptions } from '../../support/uncaught-exceptions.js'

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('the elements of a blocking queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const queues = () => {
    const name = `{consumed-${topology.kind}-${String(names++)}}`
    return {
      name,
      mine: clients.mine.getBlockingDeque<string>(name),
      other: clients.other.getBlockingDeque<string>(name),
      target: clients.mine.getBlockingDeque<string>(`${name}:target`),
    }
  }

  it('are consumed one after the other', async () => {
    const { mine, other } = queues()
    await mine.addAll(['a', 'b'])
    const consumed: string[] = []
    for await (const element of mine.consume()) {
      consumed.push(element)
      if (element === 'b') void other.addAll(['c', 'd'])
      if (element === 'c') break
    }
    expect(consumed).toEqual(['a', 'b', 'c'])
    expect(await mine.readAll()).toEqual(['d'])
    await mine.delete()
  })

  it('are walked through without being removed', async () => {
    const { mine } = queues()
    await mine.addAll(['a', 'b'])
    const walked: string[] = []
    for await (const element of mine) walked.push(element)
    expect(walked).toEqual(['a', 'b'])
    expect(await mine.size()).toBe(2)
    await mine.delete()
  })

  it('are consumed until the signal', async () => {
    const { mine, other } = queues()
    const abort = new AbortController()
    const consumed: string[] = []
    const consuming = (async () => {
      for await (const element of mine.consume({ signal: abort.signal })) consumed.push(element)
    })()
    await other.put('a')
    await eventually(() => expect(consumed).toEqual(['a']))
    abort.abort(new Error('enough'))
    await expect(consuming).rejects.toThrow('enough')
    await other.put('b')
    expect(await other.readAll()).toEqual(['b'])
    await other.delete()
  })

  it('are not consumed after return()', async () => {
    const { mine, other } = queues()
    const iterator = mine.consume()[Symbol.asyncIterator]()
    const next = [iterator.next(), iterator.next()]
    await iterator.return?.()
    for (const each of next) expect(await each).toEqual({ done: true, value: undefined })
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    await other.put('a')
    expect(await other.readAll()).toEqual(['a'])
    await other.delete()
  })

  it('go to a listener, the next one when it is ready', async () => {
    const { mine, other } = queues()
    const heard: string[] = []
    let running = 0
    const listen = async (element: string) => {
      running += 1
      expect(running).toBe(1)
      await sleep(5)
      running -= 1
      heard.push(element)
    }
    const subscription = mine.subscribeOnElements(listen)
    await other.addAll(['a', 'b', 'c'])
    await eventually(() => expect(heard).toEqual(['a', 'b', 'c']))
    await subscription.unsubscribe()
    await subscription.unsubscribe()
    await other.put('d')
    await sleep(50)
    expect(heard).toEqual(['a', 'b', 'c'])
    expect(await other.readAll()).toEqual(['d'])
    await other.delete()
  })

  it('go to a listener from either end', async () => {
    const { mine, other } = queues()
    await other.addAll(['a', 'b', 'c', 'd'])
    const heard: string[] = []
    const first = mine.subscribeOnFirstElements(async (element) => {
      heard.push(element)
      await first.unsubscribe()
    })
    await eventually(() => expect(heard).toEqual(['a']))
    const last = mine.subscribeOnLastElements((element) => {
      heard.push(element)
      if (element === 'c') void last.unsubscribe()
    })
    await eventually(() => expect(heard).toEqual(['a', 'd', 'c']))
    expect(await mine.readAll()).toEqual(['b'])
    await mine.delete()
  })

  it('are lost by no listener that comes and goes', async () => {
    const { mine, other } = queues()
    const values = Array.from({ length: 100 }, (_, n) => String(n))
    const heard: string[] = []
    const adding = (async () => {
      for (const value of values) await other.put(value)
    })()
    for (let round = 0; round < 40; round += 1) {
      await using subscription = mine.subscribeOnElements((element) => heard.push(element))
      expect(subscription).toBeDefined()
      await sleep(round % 4)
    }
    await adding
    expect([...heard, ...(await mine.readAll())].toSorted()).toEqual(values.toSorted())
    await mine.delete()
  })

  it('are not given to a listener after its signal', async () => {
    const { mine, other } = queues()
    const abort = new AbortController()
    const heard: string[] = []
    const subscription = mine.subscribeOnElements((element) => heard.push(element), { signal: abort.signal })
    abort.abort()
    await subscription.unsubscribe()
    await using late = mine.subscribeOnElements((element) => heard.push(element), { signal: abort.signal })
    expect(late).toBeDefined()
    await other.put('a')
    await sleep(50)
    expect(heard).toEqual([])
    await mine.delete()
  })

  it('go on after a listener that fails, and after one that cannot be read', async () => {
    const { mine, name } = queues()
    const errors: Error[] = []
    const heard: string[] = []
    await using subscription = mine.subscribeOnElements((element) => {
      heard.push(element)
      if (element === 'a') throw new Error('not a')
      if (element === 'b') return Promise.reject(new Error('not b'))
      return undefined
    })
    subscription.on('error', (error) => errors.push(error))
    await askOwner(topology, name, 'RPUSH', '"a"', '"b"', 'no JSON', '"c"')
    await eventually(() => expect(heard).toEqual(['a', 'b', 'c']))
    expect(errors.map(({ message }) => message)).toEqual([
      'not a',
      'not b',
      expect.stringContaining(name) as string,
    ])
    expect((errors[2] as CodecError).unreadable().map(String)).toEqual(['no JSON'])
  })

  it('go on after an error that lasts', async () => {
    const { mine, name } = queues()
    await askOwner(topology, name, 'SET', 'text')
    const errors: Error[] = []
    const heard: string[] = []
    await using subscription = mine.subscribeOnElements((element) => heard.push(element))
    subscription.on('error', (error) => errors.push(error))
    await eventually(() => expect(errors).toMatchObject([{ code: 'WRONG_TYPE' }]))
    await askOwner(topology, name, 'DEL')
    await mine.put('a')
    await eventually(() => expect(heard).toEqual(['a']))
  })

  it('are moved as soon as there are any, or as many as that', async () => {
    const { mine, other, target } = queues()
    const waits = { to: target.name, waitMs: LONG_MS }
    const one = mine.move({ ...waits, count: 2 })
    await other.put('a')
    expect(await one).toEqual(['a'])
    const two = mine.move({ ...waits, count: 2, exactly: true })
    await other.put('b')
    await sleep(50)
    expect(await other.size()).toBe(1)
    await other.put('c')
    expect(await two).toEqual(['b', 'c'])
    expect(await target.readAll()).toEqual(['a', 'b', 'c'])
    expect(await target.pollLastAndOfferFirstTo(mine.name, { waitMs: LONG_MS })).toBe('c')
    const around = mine.takeLastAndOfferFirstTo(mine.name)
    expect(await around).toBe('c')
    const ends = mine.move({ poll: 'last', addFirstTo: target.name, waitMs: LONG_MS })
    expect(await ends).toBe('c')
    expect(await mine.move({ poll: 'first', addLastTo: target.name, waitMs: 1_000 })).toBeUndefined()
    expect(await mine.move({ poll: 'first', addLastTo: target.name })).toBeUndefined()
    expect(await target.readAll()).toEqual(['c', 'a', 'b'])
    await target.delete()
  })

  it('are not held up by a move that waits for more', async () => {
    const { mine, other, target } = queues()
    const waits = { to: target.name, exactly: true, waitMs: LONG_MS }
    const three = mine.move({ ...waits, count: 3 })
    const two = mine.move({ ...waits, count: 2 })
    await sleep(50)
    const taken = mine.take()
    await other.put('a')
    expect(await taken).toBe('a')
    await other.addAll(['b', 'c'])
    expect(await two).toEqual(['b', 'c'])
    await other.addAll(['d', 'e', 'f'])
    expect(await three).toEqual(['d', 'e', 'f'])
    await target.delete()
  })

  it('are drained', async () => {
    const { mine } = queues()
    const values = Array.from({ length: 12_345 }, (_, n) => String(n))
    expect(await mine.drainTo()).toEqual([])
    await mine.addAll(values)
    expect(await mine.drainTo(0)).toEqual([])
    expect(await mine.drainTo(3)).toEqual(values.slice(0, 3))
    expect(await mine.drainTo()).toEqual(values.slice(3, 5_003))
    const rest: string[] = []
    for (let some = await mine.drainTo(); some.length > 0; some = await mine.drainTo()) rest.push(...some)
    expect(rest).toEqual(values.slice(5_003))
    expect(await mine.isExists()).toBe(false)
    for (const wrong of [-1, 0.5, NaN, 5_001, null as never])
      await expect(mine.drainTo(wrong)).rejects.toThrow()
  })

  it('have the codec of the queue', async () => {
    const { name } = queues()
    const texts = clients.mine.getBlockingQueue(name, { codec: stringCodec() })
    const raw = clients.mine.getBlockingQueue(name, { codec: bytesCodec() })
    await texts.put('é')
    expect(Buffer.from(await raw.take()).toString()).toBe('é')
  })

  it('are not for what is no function, and for batches', async () => {
    const { mine, name } = queues()
    expect(() => mine.subscribeOnElements('text' as never)).toThrow(TypeError)
    expect(() => mine.subscribeOnElements(() => 1, { once: true } as never)).toThrow(TypeError)
    expect(() => mine.consume({ waitMs: 5 } as object)).toThrow(TypeError)
    const refused = { code: 'NOT_IN_BATCH' }
    const consumed = clients.mine.batch((batch) => [batch.getBlockingQueue(name).consume()])
    await expect(consumed).rejects.toMatchObject(refused)
    const listening = clients.mine.batch((batch) => [
      batch.getBlockingQueue(name).subscribeOnElements(() => undefined),
    ])
    await expect(listening).rejects.toMatchObject(refused)
  })

  it('surface as uncaught exceptions where no listener takes the errors', async () => {
    const { mine } = queues()
    const uncaught = uncaughtExceptions(1)
    await using subscription = mine.subscribeOnElements(() => {
      throw new Error('not this one')
    })
    expect(subscription).toBeDefined()
    await mine.put('a')
    expect(await uncaught).toMatchObject([{ message: 'not this one' }])
  })
})
