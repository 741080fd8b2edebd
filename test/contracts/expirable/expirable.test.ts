import { describe, expect, it } from 'vitest'
import type { RDumpable, RExpirable } from '../../../src/api/object.js'
import type { RedissonClient } from '../../../src/index.js'
import { askAll } from '../../support/ask-all.js'
import { askOwner, mastersAmong, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { leftToDeep } from '../../support/left-to-deep.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { has, subjects } from '../subjects.js'

/** What requests leave behind, for a while. */
const REQUESTS = /^redisson_(unlock_latch|_once):/

interface Naming {
  readonly what: string
  readonly name: string
  /** Another in the same slot. */
  readonly other: string
  readonly nameMapper?: (name: string) => string
  /** Whether a part in braces decides in which slot of a cluster it is. */
  readonly inBraces?: boolean
}

const namings: readonly Naming[] = [
  { what: 'a plain name', name: 'plain', other: '{plain}2' },
  { what: 'a name in braces', name: '{a}', other: '{a}2', inBraces: true },
  { what: 'a hash tag in the name', name: 'a{tag}b', other: '{tag}', inBraces: true },
  { what: 'a name that is not ASCII', name: 'é{棚}', other: '{棚}😀' },
  {
    what: 'a name mapper',
    name: 'a{tag}',
    other: 'b{tag}',
    nameMapper: (name) => `app:${name}`,
  },
  {
    what: 'a name mapper that has braces',
    name: 'a',
    other: 'b',
    nameMapper: (name) => `{app}:${name}`,
  },
]

/** All objects that have a key once they are filled. */
const objects = Object.entries(subjects)
  .filter(([, subject]) => subject.fill !== undefined && has(subject, 'rename'))
  .map(([what, subject]) => ({
    what,
    subject,
    of: (client: RedissonClient, name: string) => {
      const make = () => subject.make(client, name) as RExpirable & RDumpable
      return { object: make(), fill: () => subject.fill?.(make()), use: () => subject.use?.(make()) }
    },
  }))

const expirables = objects.filter(({ subject }) => has(subject, 'expire'))

/** Those of one key. */
const dumpables = objects.filter(({ subject }) => has(subject, 'dump'))

const ofOneType = dumpables.filter(({ subject }) => subject.isOfAnyType !== true)

/** Objects of several keys, whose names are made in all the ways that there are. */
const OF_SEVERAL_KEYS = new Set(['permitExpirableSemaphore', 'rateLimiter', 'setMultimap'])

/** Those that are streams. */
const STREAMS = new Set(['stream', 'reliableTopic'])

/**
 * Leaves to the deep tests what differs neither by the object nor by how keys are made from names: each object has one naming on one server,
 * those of several keys have all, and on a cluster each object has the names whose braces choose the slot.
 */
function isInGate(
  kind: { readonly what: string },
  kinds: readonly unknown[],
  naming: Naming,
  topology: string,
): boolean {
  const turn = kinds.indexOf(kind) % namings.length
  return topology === 'cluster'
    ? naming.inBraces === true
    : OF_SEVERAL_KEYS.has(kind.what) || namings[turn] === naming
}

/** Adds what no object of this kind is. */
function somethingElse({ what }: { readonly what: string }): [command: string, ...args: string[]] {
  return STREAMS.has(what) ? ['RPUSH', 'something', 'else'] : ['XADD', '*', 'something', 'else']
}

describe.each(slottedTopologies)('the common face of objects ($kind)', (topology) => {
  describe.each(namings)('with $what', (naming) => {
    const { name, other, nameMapper = (each: string) => each } = naming

    const describeEach = (
      kinds: typeof objects,
      state: string,
      tests: (kind: (typeof objects)[number]) => void,
    ) => {
      for (const kind of kinds)
        describe(
          `${kind.what} ${state}`.trim(),
          leftToDeep(!isInGate(kind, kinds, naming, topology.kind)),
          () => {
            tests(kind)
          },
        )
    }

    noLeaks(topology)
    const clients = twoClients(topology, { nameMapper })

    /** All keys whose names contain that of an object. */
    const keysOf = async (part: string): Promise<string[]> => {
      const found = await askAll(await mastersAmong(topology.nodes), (node) => node.command('KEYS', '*'))
      const keys = new Set((found as string[][]).flat())
      return [...keys].filter((key) => key.includes(part) && !REQUESTS.test(key)).sort()
    }

    const untilGone = (part: string) =>
      eventually(async () => (await keysOf(part)).length === 0, { what: `no key of ${part}` })

    describeEach(objects, '', (kind) => {
      const mine = () => kind.of(clients.mine, name)
      const under = (another: string) => kind.of(clients.mine, another)

      /** What one does that was filled and never moved. */
      const usual = async (): Promise<unknown> => {
        const control = under(name)
        await control.fill()
        const used = await control.use()
        await control.object.delete()
        return used
      }

      it.each(['delete', 'unlink'] as const)('leaves no key after %s()', async (method) => {
        const { object, fill, use } = mine()
        expect(await object[method]()).toBe(false)
        await fill()
        await use()
        expect(await object.isExists()).toBe(true)
        expect(await object.touch()).toBe(true)
        expect(await object.sizeInMemory()).toBeGreaterThan(0)
        expect(await object[method]()).toBe(true)
        await untilGone(name)
        expect(await object.isExists()).toBe(false)
        expect(await object.touch()).toBe(false)
        expect(await object.sizeInMemory()).toBe(0)
      })

      it('behaves the same after rename(), and leaves no key', async () => {
        const expected = await usual()
        const { object, fill } = mine()
        await fill()
        await object.rename(other)
        expect(object.name).toBe(name)
        expect(await object.isExists()).toBe(false)
        expect(await under(other).use()).toEqual(expected)
        await under(other).object.delete()
        await untilGone(name)
        await untilGone(other)
        await expect(object.rename(other)).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT', object: name })
      })

      it('replaces what has its new name', async () => {
        const expected = await usual()
        await under(other).fill()
        await under(other).use()
        await mine().fill()
        expect(await mine().object.renamenx(other)).toBe(false)
        await mine().object.rename(other)
        expect(await under(other).use()).toEqual(expected)
        await under(other).object.delete()
        await untilGone(other)
      })

      it('behaves the same twice after copy()', async () => {
        const expected = await usual()
        await mine().fill()
        expect(await mine().object.copy(other)).toBe(true)
        expect(await under(other).use()).toEqual(expected)
        expect(await mine().object.copy(other)).toBe(false)
        expect(await mine().object.copy(other, { replace: true })).toBe(true)
        expect(await mine().use()).toEqual(expected)
        expect(await under(other).use()).toEqual(expected)
        await mine().object.delete()
        await under(other).object.delete()
        await untilGone(name)
        await untilGone(other)
      })

      it.skipIf(kind.subject.isBesideItsName)('leaves alone what has another name already', async () => {
        const taken = nameMapper(other)
        await askOwner(topology, taken, 'XADD', '*', 'something', 'else')
        await mine().fill()
        expect(await mine().object.renamenx(other)).toBe(false)
        expect(await mine().object.copy(other)).toBe(false)
        expect(await mine().object.isExists()).toBe(true)
        expect(await askOwner(topology, taken, 'XLEN')).toBe(1)
        await askOwner(topology, taken, 'DEL')
        await mine().object.delete()
      })

      it.skipIf(topology.kind === 'cluster' || kind.subject.isBesideItsName)(
        'leaves alone what has its name in another database',
        async () => {
          const key = nameMapper(name)
          const elsewhere = async (command: string, ...args: readonly string[]) => {
            const script = `redis.call('select', 1) return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`
            return (await ownerOf(topology, key)).command('EVAL', script, 1, key, command, ...args)
          }
          await elsewhere('XADD', '*', 'something', 'else')
          await mine().fill()
          expect(await mine().object.move(1)).toBe(false)
          expect(await mine().object.copy(name, { database: 1 })).toBe(false)
          expect(await mine().object.isExists()).toBe(true)
          expect(await elsewhere('XLEN')).toBe(1)
          await elsewhere('DEL')
          await mine().object.delete()
        },
      )

      it.skipIf(kind.subject.isOfAnyType === true || kind.subject.isBesideItsName)(
        'is refused where its name belongs to something else, which stays',
        async () => {
          const key = nameMapper(name)
          await askOwner(topology, key, ...somethingElse(kind))
          for (const ask of [
            () => mine().object.delete(),
            () => mine().object.unlink(),
            () => mine().object.rename(other),
            () => mine().object.copy(other),
            () => mine().object.isExists(),
          ])
            await expect(ask()).rejects.toMatchObject({
              code: 'WRONG_TYPE',
              object: expect.stringContaining(key),
            })
          expect(await askOwner(topology, key, 'DEL')).toBe(1)
        },
      )
    })

    describeEach(expirables, 'that expires', (kind) => {
      const mine = () => kind.of(clients.mine, name)

      it('leaves no key at its end', async () => {
        const { object, fill } = mine()
        await fill()
        expect(await object.expire(30)).toBe(true)
        await untilGone(name)
        expect(await object.remainTimeToLive()).toBe(-2)
        expect(await object.getExpireTime()).toBeUndefined()
      })

      it('has no key that stays longer, however it is used meanwhile', async () => {
        const { object, fill, use } = mine()
        await fill()
        await object.expire(60_000)
        await use()
        for (const key of await keysOf(name))
          expect([key, Number(await askOwner(topology, key, 'PTTL')) > 0]).toEqual([key, true])
        expect(await object.clearExpire()).toBe(true)
        expect(await object.remainTimeToLive()).toBe(-1)
        await object.delete()
      })

      it('expires under its new name as well', async () => {
        const { object, fill } = mine()
        await fill()
        await object.expire(60_000)
        await object.copy(other)
        await object.rename(other)
        const { object: renamed } = kind.of(clients.mine, other)
        expect(await renamed.remainTimeToLive()).toBeGreaterThan(50_000)
        expect(await renamed.expireIfLess(new Date(Date.now() - 1))).toBe(true)
        await untilGone(name)
      })
    })

    describeEach(dumpables, 'that is dumped', (kind) => {
      it('behaves the same once it is restored, under any name', async () => {
        const { object, fill, use } = kind.of(clients.mine, name)
        const restored = kind.of(clients.mine, other)
        await fill()
        const state = (await object.dump()) ?? new Uint8Array()
        await restored.object.restore(state)
        const expected = await use()
        expect(await restored.use()).toEqual(expected)
        await object.restoreAndReplace(state)
        expect(await use()).toEqual(expected)
        await object.delete()
        await restored.object.delete()
      })
    })

    describeEach(ofOneType, 'that is to be restored from the state of another kind', (kind) => {
      it('stays what it is, and does not come into being', async () => {
        const { object, fill, use } = kind.of(clients.mine, name)
        await askOwner(topology, nameMapper(other), ...somethingElse(kind))
        const state = (await clients.mine.getBucket(other).dump()) ?? new Uint8Array()
        await expect(object.restore(state)).rejects.toThrow('of an object of this kind')
        expect(await object.isExists()).toBe(false)
        await fill()
        const usual = await use()
        await object.delete()
        await fill()
        await expect(object.restoreAndReplace(state)).rejects.toThrow(RangeError)
        expect(await use()).toEqual(usual)
        await object.delete()
        await clients.mine.getBucket(other).delete()
      })
    })
  })
})
