import { describe, expect, it } from 'vitest'
import type { RBatch } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a set in a batch ($kind)', (topology) => {
  noLeaks(topology)
  const { mine, remove } = (() => {
    const clients = twoClients(topology)
    return {
      mine: () => clients.mine,
      remove: (...names: string[]) => clients.mine.getKeys().delete(...names),
    }
  })()
  const name = `{batch-set-${topology.kind}}:one`
  const other = `{batch-set-${topology.kind}}:other`

  it.each(['pipeline', 'atomic'] as const)('does all that is one request (%s)', async (mode) => {
    const results = await mine().batch(
      (batch) => {
        const set = batch.getSet<string | number>(name)
        return [
          set.addAllCounted(['a', 'b', 'c']),
          set.add('a'),
          set.tryAdd('b', 'd'),
          set.contains('b'),
          set.containsEach(['b', 'd']),
          set.move(other, 'c'),
          set.readUnion([other]),
          set.countIntersection([other]),
          set.removeAll(['b', 'd']),
          set.retainAll(['a']),
          set.readAll(),
          set.random(),
          set.removeRandom(2),
          set.size(),
          set.addAll([3, 1, 2]),
          set.readSort({ order: 'DESC' }),
          set.union([other]),
          set.readAll(),
        ]
      },
      { mode },
    )
    const [added, ...rest] = results
    expect(added).toBe(3)
    expect([...(rest[5] as string[])].toSorted()).toEqual(['a', 'b', 'c'])
    expect(rest.toSpliced(5, 1)).toEqual([
      false,
      false,
      true,
      [true, false],
      true,
      0,
      true,
      false,
      ['a'],
      'a',
      ['a'],
      0,
      true,
      [3, 2, 1],
      1,
      ['c'],
    ])
    await remove(name, other)
  })

  it('reads and retains only where that is one request', async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => n)
    await mine().getSet(name).addAll(many)
    for (const call of [
      (batch: RBatch) => batch.getSet(name).readAll(),
      (batch: RBatch) => batch.getSet(name).retainAll([1]),
    ])
      await expect(mine().batch((batch) => [call(batch)])).rejects.toMatchObject({
        code: 'BATCH',
        cause: { code: 'NOT_IN_BATCH' },
      })
    expect(await mine().getSet(name).size()).toBe(5_001)
    await remove(name)
  })

  const many = Array.from({ length: 5_001 }, (_, n) => n)
  const wrong: Readonly<Record<string, (batch: RBatch) => unknown>> = {
    'a walk': (batch) => batch.getSet(name).values(),
    'a walk that several make': (batch) => batch.getSet(name).distributedIterator(),
    'too many values that are added': (batch) => batch.getSet(name).addAll(many),
    'too many values that are removed': (batch) => batch.getSet(name).removeAllCounted(many),
    'too many values that are kept': (batch) => batch.getSet(name).retainAll(many),
    'the lock of a value': (batch) => batch.getSet(name).getLock('a').lock(),
    'a semaphore of a value': (batch) => batch.getSet(name).getSemaphore('a').release(),
  }

  it.each(Object.entries(wrong))('sends nothing where %s is part of it', async (_, call) => {
    const sent = mine().batch((batch) => [batch.getSet(name).add('first'), call(batch)])
    await expect(sent).rejects.toMatchObject({ code: 'NOT_IN_BATCH', mayHaveRun: false })
    expect(await mine().getSet(name).isExists()).toBe(false)
  })
})
