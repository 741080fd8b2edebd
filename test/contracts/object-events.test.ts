import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ObjectEvent, RExpirable, RObject } from '../../src/api/object.js'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { askAll } from '../support/ask-all.js'
import { askOwner } from '../support/ask-owner.js'
import { twoClients } from '../support/clients.js'
import { eventually } from '../support/eventually.js'
import type { ServerNode, Topology } from '../support/launch/topology.js'
import { leftToDeep } from '../support/left-to-deep.js'
import { noLeaks } from '../support/no-leaks.js'
import { slottedTopologies } from '../support/topologies.js'
import { times, type Occasion } from './subject.js'
import { has, subjects, type AnySubject } from './subjects.js'

const SETTING = 'notify-keyspace-events'

/** Enough that every node of a cluster has some of them. */
const MANY = 30

async function configure(topology: Topology<ServerNode>, flags: string): Promise<void> {
  await askAll(topology.nodes, (node) => node.command('CONFIG', 'SET', SETTING, flags))
}

const bucket = (client: RedissonClient, name: string) => client.getBucket(name)

/** What removes an object that is there once it is filled. */
function removals(subject: AnySubject): readonly (readonly [event: string, Occasion<object>])[] {
  const removed = (remove: (made: RExpirable) => Promise<unknown>) =>
    times(1, async (made: object) => {
      await subject.fill?.(made)
      await remove(made as RExpirable)
    })
  const expired = has(subject, 'expire') ? [removed((made) => made.expire(5))] : []
  return [
    ['deleted', removed((made) => made.delete())],
    ['deleted', removed((made) => made.unlink())],
    ...expired.map((each) => ['expired', each] as const),
  ]
}

/** All that brings events about. An object without contents has no key that could be removed. */
const occasions = Object.entries(subjects).flatMap(([kind, subject]) => [
  ...(subject.fill !== undefined && has(subject, 'isExists') ? removals(subject) : []).map(
    ([event, occasion]) => ({ kind, subject, event, occasion, isOfAny: true }),
  ),
  ...Object.entries(subject.events ?? {}).map(([event, occasion]) => ({
    kind,
    subject,
    event,
    occasion,
    isOfAny: false,
  })),
])

describe.each(slottedTopologies)('the events of an object ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  beforeAll(() => configure(topology, 'KA'))
  afterAll(() => configure(topology, ''))

  for (const { kind, subject, event, occasion, isOfAny } of occasions) {
    const { make, free } = subject
    const isSame = isOfAny && kind !== 'bucket' && (topology.kind === 'cluster' || event === 'expired')
    it(`come from ${kind}: ${event}`, leftToDeep(isSame), async () => {
      const name = `событие-${topology.kind}-${String(names++)}`
      const heard: string[] = []
      const object = (await make(clients.mine, name)) as RObject
      const subscription = await object.addListener(event as ObjectEvent, (changed) => heard.push(changed))
      await occasion.by(await make(clients.other, name), clients.other)
      const all = Array.from({ length: occasion.times }, () => object.name)
      await eventually(() => expect(heard).toEqual(all))
      await subscription.unsubscribe()
      await free?.(clients.other, name)
      await bucket(clients.other, name).set(1)
      await bucket(clients.other, name).delete()
      expect(heard).toEqual(all)
    })
  }

  it('come from all nodes', async () => {
    const heard: string[] = []
    const all = Array.from({ length: MANY }, (_, n) => `all-${topology.kind}-${String(n)}`)
    const subscriptions = await Promise.all(
      all.map((name) => bucket(clients.mine, name).addListener('set', (changed) => heard.push(changed))),
    )
    await Promise.all(all.map((name) => bucket(clients.other, name).set(1)))
    await eventually(() => expect(heard.toSorted()).toEqual(all.toSorted()))
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()))
    await Promise.all(all.map((name) => bucket(clients.other, name).delete()))
  })

  it('are heard by several listeners, each of its own event only', async () => {
    const name = `several-${topology.kind}`
    const heard: string[] = []
    await using set = await bucket(clients.mine, name).addListener('set', () => heard.push('set'))
    await using again = await bucket(clients.mine, name).addListener('set', () => {
      throw new Error('by the listener')
    })
    const errors: Error[] = []
    again.on('error', (error) => errors.push(error))
    await using deleted = await bucket(clients.mine, name).addListener('deleted', () => heard.push('deleted'))
    await bucket(clients.mine, name).set(1)
    await bucket(clients.mine, name).set(2)
    await bucket(clients.mine, name).delete()
    await eventually(() => expect(heard).toEqual(['set', 'set', 'deleted']))
    expect(errors).toHaveLength(2)
    await Promise.all([set, again, deleted].map((subscription) => subscription.unsubscribe()))
  })

  it('have the names of the program', async () => {
    const nameMapper = { map: (name: string) => `mapped:${name}`, unmap: (name: string) => name.slice(7) }
    await using mapped = await Redisson.create({ ...topology.options(), nameMapper })
    const heard: string[] = []
    await using subscription = await mapped.getMap('events').addListener('put', (name) => heard.push(name))
    await clients.mine.getMap('mapped:events').put('k', 1)
    await eventually(() => expect(heard).toEqual(['events']))
    await clients.mine.getMap('mapped:events').delete()
    await subscription.unsubscribe()
  })

  it('end with a signal, and with the client', async () => {
    const abort = new AbortController()
    await bucket(clients.mine, 'ends').addListener('deleted', () => undefined, { signal: abort.signal })
    abort.abort()
    const client = await Redisson.create(topology.options())
    await bucket(client, 'ends').addListener('deleted', () => undefined)
    await client.shutdown()
    await expect(bucket(client, 'ends').addListener('deleted', () => undefined)).rejects.toMatchObject({
      code: 'CLOSED',
    })
    const aborted = bucket(clients.mine, 'ends').addListener('deleted', () => undefined, {
      signal: abort.signal,
    })
    await expect(aborted).rejects.toBe(abort.signal.reason)
  })

  it('are refused where there is no such event, and for bad arguments', async () => {
    const object = bucket(clients.mine, 'bad')
    const none = () => undefined
    for (const event of ['put', 'toString', '', 5, undefined])
      await expect(object.addListener(event as ObjectEvent, none)).rejects.toThrow(RangeError)
    for (const call of [
      () => object.addListener('deleted', 5 as never),
      () => object.addListener('deleted', none, { once: true } as never),
      () => object.addListener('deleted', none, { signal: {} } as never),
      () => (object.addListener as (...args: unknown[]) => Promise<unknown>)('deleted', none, {}, 5),
    ])
      await expect(call()).rejects.toThrow(TypeError)
  })
})

describe.each(slottedTopologies)(
  'the events of an object that the servers do not tell of ($kind)',
  (topology) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    afterAll(() => configure(topology, ''))

    it.each([
      ['', 'deleted', 'Kg'],
      ['EA', 'deleted', 'Kg'],
      ['Kg', 'expired', 'Kx'],
      ['K$', 'put', 'Kh'],
      ['Kgx', 'incremented', 'K$'],
    ])('are an error with %j for %s, which names %s', async (configured, event, needed) => {
      await configure(topology, configured)
      const object: RObject =
        event === 'put' ? clients.mine.getMap('quiet') : clients.mine.getAtomicLong('quiet')
      const refused = object.addListener(event as ObjectEvent, () => undefined)
      await expect(refused).rejects.toMatchObject({
        code: 'NOTIFICATIONS_DISABLED',
        object: 'quiet',
        needed,
        mayHaveRun: false,
      })
      await expect(refused).rejects.toThrow(/CONFIG SET notify-keyspace-events \S+/)
    })

    it.each(['Kg', 'KEA', 'gK'])('come with %j', async (configured) => {
      await configure(topology, configured)
      const subscription = await clients.mine.getBucket('quiet').addListener('deleted', () => undefined)
      await subscription.unsubscribe()
    })

    it('are listened to with a warning where the servers do not show their settings', async () => {
      await configure(topology, 'KA')
      const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
      const user = 'no-config'
      await askAll(topology.nodes, (node) =>
        node.command('ACL', 'SETUSER', user, 'on', '>secret', '~*', '&*', '+@all', '-config'),
      )
      try {
        const login = { username: user, password: 'secret' }
        await using client = await Redisson.create(topology.options(login))
        const heard: string[] = []
        await using subscription = await client
          .getBucket('mute')
          .addListener('deleted', (name) => heard.push(name))
        await clients.mine.getBucket('mute').set(1)
        await clients.mine.getBucket('mute').delete()
        await eventually(() => expect(heard).toEqual(['mute']))
        await subscription.unsubscribe()
        expect(await askOwner(topology, 'mute', 'EXISTS')).toBe(0)
      } finally {
        await askAll(topology.nodes, (node) => node.command('ACL', 'DELUSER', user))
      }
      expect(warnings.mock.calls.length).toBeLessThanOrEqual(1) // once for the process
      vi.restoreAllMocks()
    })
  },
)
