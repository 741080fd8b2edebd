import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OBJECT_EVENTS } from '../../src/core/object-events.js'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { KEPT, subjects } from './subjects.js'

/**
 * What no program calls: what is protected or left out of the public type, which only the compiler knows, and what Node
 * and `JSON.stringify` call.
 */
const INNER: readonly (string | symbol)[] = [
  'constructor',
  'appendAll',
  'ask',
  'decodeAll',
  'demandComputing',
  'demanded',
  'elementAt',
  'entryBytes',
  'entryOf',
  'find',
  'inParts',
  'inRequests',
  'indexBy',
  'keyInSlot',
  'keyNamed',
  'keysOf',
  'keysToPersist',
  'mayHave',
  'moveSome',
  'objectKeys',
  'otherKey',
  'pollAt',
  'pollOne',
  'pollSome',
  'rangeOf',
  'removeElements',
  'removeEqual',
  'removeOneEqual',
  'removeSome',
  'retainSome',
  'toJSON',
  'valuesIn',
  'wakeUpOf',
  inspect.custom,
]

/** The same of one kind. */
const OF_ONE_KIND: Readonly<Record<string, readonly string[]>> = {
  localCachedMap: ['flush', 'loadAll'],
  localCachedMapCache: ['flush', 'loadAll', 'readEntries', 'readEntry', 'used'],
  mapCache: ['flush', 'loadAll', 'readEntries', 'readEntry', 'used'],
  mapCacheNative: ['flush', 'loadAll'],
  subscription: ['confirmed', 'endWith', 'fail', 'gap', 'message', 'refused', 'subscribed'],
  reliableSubscription: ['begin'],
}

describe('the subjects', () => {
  noLeaks(single, { except: KEPT })

  let client: RedissonClient
  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterAll(() => client.shutdown())

  it.each(Object.entries(subjects))(
    'have a sample of each method, also of those that are inherited, and what brings each event about: %s',
    async (name, { make, methods, events, free }) => {
      const object: object & { readonly events?: object } = await make(client, name)
      const inner = [...INNER, ...(OF_ONE_KIND[name] ?? [])]
      const all = new Set(methodsOf(object).filter((method) => !inner.includes(method)))
      expect(new Set(Reflect.ownKeys(methods))).toEqual(all)
      expect(new Set(Object.keys({ ...OBJECT_EVENTS, ...events }))).toEqual(
        new Set(Object.keys({ ...OBJECT_EVENTS, ...object.events })),
      )
      await free?.(client, name)
    },
  )

  it('are all that the library hands out', async () => {
    const known = new Set<unknown>()
    const signalled = new Set<unknown>()
    const handedOut: (readonly [what: string, kind: unknown])[] = []
    for (const [name, { make, methods, free, takesSignal = false }] of Object.entries(subjects)) {
      const object = await make(client, name)
      known.add(object.constructor)
      if (takesSignal) signalled.add(object.constructor)
      for (const [method, { handsOut = false, forms }] of Object.entries(methods))
        for (const takes of handsOut ? forms : []) {
          const given = (object as Untyped)[method]?.(...takes.map(({ sound }) => sound))
          handedOut.push([`${name}.${method}`, given?.constructor])
        }
      await free?.(client, name)
    }
    expect(handedOut.length).toBeGreaterThan(50)
    expect(handedOut.filter(([, kind]) => !known.has(kind))).toEqual([])
    const bySignalled = handedOut.filter(([what]) => what.startsWith('signalledObjects.'))
    expect(bySignalled.filter(([, kind]) => !signalled.has(kind))).toEqual([])
  })
})

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => object>>

/** The methods of an object: its own, and those of its classes. */
function methodsOf(object: object): readonly (string | symbol)[] {
  const found: (string | symbol)[] = []
  for (let each = object; each !== Object.prototype; each = Object.getPrototypeOf(each) as object)
    for (const key of Reflect.ownKeys(each))
      if (typeof Object.getOwnPropertyDescriptor(each, key)?.value === 'function') found.push(key)
  return found
}
