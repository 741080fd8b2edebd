import { afterEach, describe, expect, it } from 'vitest'
import { moveBack } from '../../../src/queues/blocking-queue/blocking-queue.scripts.js'
import { putBack } from '../../../src/queues/priority-queue/priority-queue.scripts.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { single } from '../../support/topologies.js'

const [queue, target] = ['moved-back', 'moved-back:target']

describe('elements that were moved and are put back', () => {
  const [node] = single.nodes
  const context = objectContext(() => single.options())
  const run = ((...request) => context().executor.run(...request)) as ReturnType<
    typeof context
  >['executor']['run']

  afterEach(() => node.command('DEL', queue, target))

  it.each([
    [
      'a queue',
      () => run(moveBack, { keys: { queue, target }, args: { push: 'lpush', from: 1, values: ['a'] } }),
    ],
    [
      'a priority queue',
      () =>
        run(putBack, {
          keys: { queue, target, lock: 'none', comparator: 'none' },
          args: { held: '', form: 'text', side: 'first', values: ['a'] },
        }),
    ],
  ])('stay where they are, if the name of %s belongs to something else', async (_, putsBack) => {
    await node.command('RPUSH', target, 'a')
    await node.command('SET', queue, 'x')
    await expect(putsBack()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    expect(await node.command('LRANGE', target, '0', '-1')).toEqual(['a'])
  })
})
