import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const SECRET = 'hunter2'
const DESCRIBED = 'a string of 7 characters'

/** A call with a text that is not meant for it, as a program without types makes it. */
type Call = (client: RedissonClient, secret: never) => unknown

const refused: Readonly<Record<string, Call>> = {
  'in the place of options': (client, secret) => client.getLock('a', secret),
  'in the place of options of a call': (client, secret) => client.getLock('a').acquire(secret),
  'as a surplus argument': (client, secret) =>
    (client.getLock('a').unlock as (...all: unknown[]) => unknown)({}, secret),
  'as a number of permits': (client, secret) => client.getSemaphore('a').addPermits(secret),
  'as a duration': (client, secret) => client.getLock('a').tryLock({ waitMs: secret }),
  'as a flag': (client, secret) => client.getAtomicLong('a', { bigint: secret }),
  'as a signal': (client, secret) => client.getLock('a').acquire({ signal: secret }),
  'as a function': (client, secret) => client.getLock('a').withLock(secret),
  'as the id of a permit': (client, secret) => client.getPermitExpirableSemaphore('a').release(secret),
  'as a thread': (client, secret) => client.getLock('a').unlock({ threadId: secret }),
  'as a token': (client, secret) => client.getFencingGuard('a').accepts(secret),
  'as a number to add': (client, secret) => client.getAtomicDouble('a').addAndGet(secret),
  'as entries': (client, secret) => client.getMap('a').putAll(secret),
  'as the hash of a script': (client, secret) => client.getScript().evalSha('READ_WRITE', secret, 'VALUE'),
  'as values of a group': (client, secret) => client.getMultiLock('a', secret),
  'as the state of an object': (client, secret) => client.getBucket('a').restore(secret),
  'as the unit of a distance': (client, secret) => client.getGeo('a').dist(1, 2, secret),
  'as the order of a search': (client, secret) =>
    client.getGeo('a').search({ from: { member: 1 }, radius: 1, unit: 'm', order: secret }),
  'as bytes': (client, secret) => client.getBitSet('a').setByteArray(secret),
  'as a time': (client, secret) => client.getBucket('a').expire(secret),
}

/** One of a few words is expected there. What was given says which one was meant. */
const shown: Readonly<Record<string, Call>> = {
  'as an event': (client, secret) => client.on(secret, () => undefined),
  'as the mode of a rate': (client, secret) => client.getRateLimiter('a').trySetRate(secret, 1, 1000),
  'as the name of an option': (client, secret) => client.getLock('a').acquire({ [secret]: 1 }),
  'as the side that a lock prefers': (client, secret) => client.getReadWriteLock('a', { prefer: secret }),
}

describe('a text that is given by mistake', () => {
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(() => client.shutdown())

  const messageOf = async (call: Call): Promise<string> => {
    const outcome: unknown = await (async () => await call(client, SECRET as never))().catch(
      (error: unknown) => error,
    )
    if (outcome instanceof TypeError || outcome instanceof RangeError) return outcome.message
    throw new Error('It was not refused', { cause: outcome })
  }

  it.each(Object.entries(refused))('is described and not shown: %s', async (_, call) => {
    const message = await messageOf(call)
    expect(message).not.toContain(SECRET)
    expect(message).toContain(`got ${DESCRIBED}`)
  })

  it.each(Object.entries(shown))('is shown %s', async (_, call) => {
    expect(await messageOf(call)).toMatch(/got ['`]hunter2['`]/)
  })
})
