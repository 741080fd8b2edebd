import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CrossSlotError, Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { noLeaks } from '../../support/no-leaks.js'
import { PATIENT_WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

export function names(bench: LockFixture): void {
  describe('with a nameMapper', () => {
    noLeaks(bench.topology)

    let client: RedissonClient
    beforeAll(async () => {
      client = await Redisson.create({
        ...bench.topology.options(),
        lockWatchdogTimeout: PATIENT_WATCHDOG_MS,
        nameMapper: (name) => `shop:${name}`,
      })
    })
    afterAll(() => client.shutdown())

    const mapped = (): RLock => bench.lockOf(client, bench.name)
    const plain = (): RLock => bench.lockOf(bench.mine, `shop:${bench.name}`)

    it('it is in Redis under the mapped name', async () => {
      await mapped().lock()
      expect(await askOwner(bench.topology, `shop:${bench.name}`, 'EXISTS')).toBe(1)
      expect(await bench.ask('EXISTS')).toBe(0)
      await mapped().unlock()
    })

    it('the program sees its own name all the same', async () => {
      expect(mapped().name).toBe(bench.name)
      await using hold = await mapped().acquire()
      expect(hold.name).toBe(bench.name)
      await expect(mapped().unlock()).rejects.toMatchObject({ lock: bench.name })
      if (bench.shared) return
      await expect(mapped().withLock(() => undefined, { waitMs: 0 })).rejects.toMatchObject({
        lock: bench.name,
      })
    })

    if (!bench.shared) {
      it('it is the lock of that name for clients without one', async () => {
        await mapped().lock()
        expect(await plain().isLocked()).toBe(true)
        expect(await plain().tryLock()).toBe(false)
        const waiter = plain().acquire()
        await bench.untilWaiting()
        await mapped().unlock()
        await using hold = await waiter
        expect(await mapped().isHeldByThread(hold.owner)).toBe(true)
      })
    }

    it('two of its names that lead to one are one lock, and one flow may use both', async () => {
      const folding = await Redisson.create({ ...bench.topology.options(), nameMapper: () => bench.name })
      const [one, another] = [bench.lockOf(folding, 'one'), bench.lockOf(folding, 'another')]
      await one.lock()
      expect(await another.isLocked()).toBe(true)
      await another.unlock()
      expect(await one.isLocked()).toBe(false)
      await folding.shutdown()
    })
  })

  describe('with a name of any sort', () => {
    noLeaks(bench.topology)

    const isCluster = bench.topology.kind === 'cluster'

    it.each(isCluster ? placeable : [...placeable, ...torn])(
      '%s is taken, waited for and given back',
      async (name) => {
        const hold = await bench.rivalOf(bench.mine, name).acquire()
        expect(await bench.lockOf(bench.other, name).tryLock()).toBe(false)
        const waiter = bench.lockOf(bench.other, name).acquire()
        await bench.untilWaitingFor(name)
        await hold.unlock()
        await (await waiter).unlock()
      },
    )

    it.each(isCluster ? torn : [])(
      '%s is refused in a cluster, where its channel would be elsewhere than its key',
      (name) => {
        expect(() => bench.lockOf(bench.mine, name)).toThrow(CrossSlotError)
        expect(() => bench.lockOf(bench.mine, name)).toThrow(
          expect.objectContaining({
            code: 'CROSS_SLOT',
            object: name,
            message: expect.stringMatching(
              /^Expected `name` to have no braces but those of a hash tag, as in a{b}, got ".+": its keys would be/,
            ),
          }),
        )
      },
    )

    it.each([[''], ['half \ud800'], [undefined], [7]])(
      'a nameMapper that returns %o for it is refused as such a name would be',
      async (mapped) => {
        const nameMapper = () => mapped as string
        await using client = await Redisson.create({ ...bench.topology.options(), nameMapper })
        expect(() => bench.lockOf(client, 'name')).toThrow(TypeError)
        expect(() => bench.lockOf(client, 'name')).toThrow(
          /^Expected `nameMapper` to return a non-empty string without lone surrogates, got /,
        )
      },
    )
  })
}

const placeable = [
  'with spaces and ünïcödé 🔒',
  '{tag}:name',
  '}{tag}',
  '{tag}}',
  'name{tag}',
  'a:b:c',
  'x'.repeat(1_000),
  'constructor',
  '__proto__',
]

/** Redisson takes any brace for that of a hash tag. */
const torn = ['name{', 'name}', '{}name', '{}', 'na{me', 'na}me', '{}{tag}', '}{']
