import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import type { Script } from '../../../src/command/operation/script.js'
import * as expirable from '../../../src/core/redisson-expirable.scripts.js'
import * as object from '../../../src/core/redisson-object.scripts.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { Box, objectContext, Shelf, ShelfKeys } from './object-fixture.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

const FROM = '{shelf}'
const TO = '{shelf}2'
const BOX = '{shelf}3'

interface Objects {
  readonly shelf: Shelf
  readonly copy: Shelf
  readonly box: Box
}

/** One request, and how another client changes what it has done before its answer is lost. */
interface Change {
  readonly what: string
  readonly script: Script<string, string, unknown>
  readonly run: (objects: Objects) => Promise<unknown>
  readonly answer: unknown
  readonly between: (objects: Objects) => Promise<unknown>
}

const keys = new ShelfKeys(single)

/** What is at both names and in the box, and whether it expires. */
const look = async () => [
  await keys.look(FROM),
  await keys.look(TO),
  await keys.ask(BOX, 'GET'),
  (await keys.ask(FROM, 'PTTL')) === -1,
]

describe('a request about an object', () => {
  let door: Proxied<SingleTopology<ServerNode>>
  let state: Uint8Array

  beforeAll(async () => {
    door = await proxied(single)
  })

  noLeaks(single)
  const mine = objectContext(() => door.options(SETTINGS))
  const theirs = objectContext(() => single.options())
  const objects = (context: ReturnType<typeof mine>): Objects => ({
    shelf: new Shelf(context, FROM),
    copy: new Shelf(context, TO),
    box: new Box(context, BOX),
  })

  const changes: readonly Change[] = [
    {
      what: 'removes it',
      script: object.remove,
      run: ({ shelf }) => shelf.delete(),
      answer: true,
      between: () => keys.fill(FROM, 5),
    },
    {
      what: 'renames it',
      script: object.rename,
      run: ({ shelf }) => shelf.renamenx(TO),
      answer: true,
      between: () => keys.fill(FROM, 5),
    },
    {
      what: 'renames it to the name of another',
      script: object.rename,
      run: ({ shelf }) => shelf.rename(TO),
      answer: undefined,
      between: () => keys.fill(FROM, 5),
    },
    {
      what: 'copies it',
      script: object.copy,
      run: ({ shelf }) => shelf.copy(TO),
      answer: true,
      between: ({ copy }) => copy.delete(),
    },
    {
      what: 'copies it to the name of another',
      script: object.copy,
      run: ({ shelf }) => shelf.copy(TO, { replace: true }),
      answer: true,
      between: () => keys.ask(TO, 'SET', 5),
    },
    {
      what: 'has it expire',
      script: expirable.expire,
      run: ({ shelf }) => shelf.expireIfNotSet(60_000),
      answer: true,
      between: ({ shelf }) => shelf.clearExpire(),
    },
    {
      what: 'has it expire no more',
      script: expirable.persist,
      run: async ({ shelf }) => {
        await keys.ask(FROM, 'PEXPIRE', 60_000)
        return await shelf.clearExpire()
      },
      answer: true,
      between: ({ shelf }) => shelf.expire(60_000),
    },
    {
      what: 'restores it',
      script: object.restore,
      run: ({ box }) => box.restoreAndReplace(state),
      answer: undefined,
      between: () => keys.ask(BOX, 'SET', 5),
    },
    {
      what: 'restores one that was not there',
      script: object.restore,
      run: async ({ box }) => {
        await keys.ask(BOX, 'DEL')
        await box.restore(state)
      },
      answer: undefined,
      between: ({ box }) => box.delete(),
    },
    {
      what: 'moves it',
      script: object.move,
      run: ({ shelf }) => shelf.move(1),
      answer: true,
      between: () => keys.fill(FROM, 5),
    },
    {
      what: 'moves it, and leaves nothing where it has no key',
      script: object.move,
      run: async ({ shelf }) => {
        await keys.ask(`${FROM}:order`, 'DEL')
        return await shelf.move(1)
      },
      answer: true,
      between: () => keys.fill(FROM, 5),
    },
    {
      what: 'copies it to another database, and leaves nothing where it has no key',
      script: object.copy,
      run: async ({ shelf }) => {
        await keys.ask(`${FROM}:order`, 'DEL')
        return await shelf.copy(TO, { database: 1 })
      },
      answer: true,
      between: () => keys.fill(FROM, 5),
    },
  ]

  beforeEach(async () => {
    await keys.fill(FROM, 1)
    await keys.ask(BOX, 'SET', 1)
    state = (await objects(theirs()).box.dump()) ?? new Uint8Array()
    await keys.ask(BOX, 'SET', 2)
  })

  afterAll(() => door.stop())

  const clear = async () => {
    const { shelf, copy, box } = objects(theirs())
    await Promise.all([shelf.delete(), copy.delete(), box.delete()])
  }

  describeFaults('that %s', TIMEOUT_MS, (...fault) => {
    it.each(changes)('$what exactly once', async ({ script, run, answer }) => {
      await run(objects(theirs()))
      const expected = await look()
      await single.nodes[0].command('FLUSHALL')
      await keys.fill(FROM, 1)
      await keys.ask(BOX, 'SET', 2)
      const { struck } = strike(door.proxies, onceOf(script).sha, fault)
      expect(await run(objects(mine()))).toBe(answer)
      await struck
      expect(await look()).toEqual(expected)
      await clear()
    })
  })

  it.each(changes)(
    '$what once, where its answer is lost after another client has changed that',
    async ({ script, run, answer, between }) => {
      let expected: unknown
      const { struck } = strike(door.proxies, onceOf(script).sha, [
        'is answered, and the answer cut off',
        'reply',
        async (passing) => {
          await between(objects(theirs()))
          expected = await look()
          passing.cut()
        },
      ])
      expect(await run(objects(mine()))).toBe(answer)
      await struck
      expect(expected).toBeDefined()
      expect(await look()).toEqual(expected)
      await clear()
    },
  )

  it('that only reads is sent again', async () => {
    const { shelf } = objects(mine())
    strike(door.proxies, object.exists.sha, ['is cut off', 'reply', (passing) => passing.cut()])
    expect(await shelf.isExists()).toBe(true)
    await clear()
  })
})
