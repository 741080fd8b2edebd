import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { bytesCodec, DeliveryLostError } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

/** What a program that is written in JavaScript may pass. */
const any = (given: unknown) => given as never

describe('what a reliable queue says', () => {
  noLeaks(single)
  const clients = twoClients(single)
  const name = 'reliable-texts'
  const queue = () => clients.mine.getReliableQueue(name)

  afterEach(() => queue().delete())

  it.each([
    ['dedup', { dedup: any('x') }, 'Expected `dedup` to be an object, got a string of 1 character'],
    [
      'dedup.ttlMs',
      { dedup: { id: 'x', ttlMs: 0 } },
      'Expected `dedup.ttlMs` to be more than 0 milliseconds, got 0',
    ],
    ['delayMs', { delayMs: -1 }, 'Expected `delayMs` to be 0 milliseconds or more, got -1'],
    ['attempts', { attempts: 3 }, 'got `attempts`: did you mean `maxDeliveries`?'],
    ['jobId', { jobId: 'x' }, 'got `jobId`: did you mean `dedup`?'],
    ['backoff', { backoff: 3 }, 'got `backoff`: `retryDelayMs` is an option of process()'],
  ])('names the option of offer(): %s', async (_, options: object, said) => {
    await expect(queue().offer(1, options)).rejects.toThrow(said)
  })

  it('names the option of a queue', () => {
    const made = (options: object) => () => clients.mine.getReliableQueue(name, options)
    expect(made({ rate: 5 })).toThrow('Expected `rate` to be an object, got 5')
    expect(made({ groupRate: 5, groupConcurrency: 1 })).toThrow('Expected `groupRate` to be an object, got 5')
    expect(made({ concurrency: 5 })).toThrow('`concurrency` is an option of process() and consume()')
  })

  it('names the option of a worker', () => {
    const made = (options: object) => () => queue().process(() => undefined, options)
    expect(made({ backoff: 5 })).toThrow('got `backoff`: did you mean `retryDelayMs`?')
    expect(made({ attempts: 5 })).toThrow('`maxDeliveries` is an option of getReliableQueue() and offer()')
    expect(made({ retryDelayMs: -1 })).toThrow('Expected `retryDelayMs` to be 0 milliseconds or more, got -1')
    expect(made({ visibilityMs: 0 })).toThrow('Expected `visibilityMs` to be more than 0 milliseconds, got 0')
  })

  it('refuses undefined as a value, and says what takes its place', async () => {
    await expect(queue().offer(undefined)).rejects.toThrow(
      /got undefined: a message without content is null$/,
    )
  })

  it('names the time of a delivery, and refuses times in the past', async () => {
    await queue().offer('a')
    const delivery = await queue().poll()
    await expect(delivery?.extend(any('30s'))).rejects.toThrow(
      'Expected `visibilityMs` to be a number of milliseconds',
    )
    await expect(delivery?.nack({ delayMs: -1 })).rejects.toThrow(RangeError)
    await expect(queue().cancel(delivery?.id ?? '', { graceMs: -1 })).rejects.toThrow(/`graceMs`.* got -1$/)
    await delivery?.ack()
  })

  it('warns of a short delivery by the name of its option', async () => {
    const warned = Promise.withResolvers<Error>()
    process.on('warning', warned.resolve)
    await clients.mine.getReliableQueue(name).poll({ visibilityMs: 7 })
    const { message } = await warned.promise
    process.off('warning', warned.resolve)
    expect(message).toBe('The lease of a delivery is to last for 7 ms: visibilityMs is in milliseconds.')
  })

  it('says of a dead letter whether it was rejected', async () => {
    await queue().offer('a', { maxDeliveries: 1 })
    await (await queue().poll())?.nack()
    await queue().offer('b')
    await (await queue().poll())?.reject()
    const letters = await queue().deadLetters()
    expect(letters.map(({ reason }) => reason)).toEqual(['it was not acknowledged', 'it was rejected'])
  })

  it('says that a delivery was settled, and not that it was lost', async () => {
    await queue().offer('a')
    const delivery = await queue().poll()
    await delivery?.ack()
    const error = await delivery?.ack().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DeliveryLostError)
    expect(String(error)).toContain(`queue ${name} is over: it was acknowledged, failed or given back before`)
    expect(String(error)).not.toContain('lost')
  })

  it('points from a delayed queue to the delays of messages', () => {
    expect(() => clients.mine.getDelayedQueue(any(queue()))).toThrow(
      /a reliable queue delays its messages by itself: offer\(value, { delayMs }\)$/,
    )
  })

  it('shows what a delivery and a message say', async () => {
    await queue().offer({ to: { name: 'ada' } }, { headers: { trace: '7' }, group: 'g', priority: 2 })
    const [waiting] = await queue().peek()
    expect(inspect(waiting)).toContain("value: { to: { name: 'ada' } }")
    const delivery = await queue().poll()
    const facts = {
      id: delivery?.id,
      value: { to: { name: 'ada' } },
      headers: { trace: '7' },
      priority: 2,
      group: 'g',
      deliveries: 1,
      fencingToken: delivery?.fencingToken,
      isHeld: true,
    }
    expect(JSON.parse(JSON.stringify(delivery))).toEqual(facts)
    expect(inspect(delivery)).toBe(`Delivery ${inspect(facts)}`)
    await delivery?.ack()
  })

  it('reads the value of a message once, and hides no other behind one that cannot be read', async () => {
    await clients.mine
      .getReliableQueue(name, { codec: bytesCodec() })
      .offerAll([Buffer.from('{'), Buffer.from('[]')])
    const [broken, sound] = await queue().peek(2)
    expect(() => broken?.value).toThrow(/cannot decode/)
    expect(sound?.value).toBe(sound?.value)
  })

  it('tells a listener once', async () => {
    const failed: string[] = []
    const worker = clients.mine
      .getReliableQueue<string>(name)
      .process(() => Promise.reject(new Error('no')), {
        retryDelayMs: 0,
      })
    worker.once('failed', ({ delivery }) => failed.push(delivery.value))
    await queue().offer('a', { maxDeliveries: 2 })
    await eventually(async () => {
      expect(await queue().counts()).toMatchObject({ dead: 1, inFlight: 0 })
    })
    await worker.close()
    expect(failed).toEqual(['a'])
    expect(() => worker.once(any('done'), () => undefined)).toThrow(RangeError)
  })
})
