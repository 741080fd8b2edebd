import { afterEach, describe, expect, it } from 'vitest'
import { takeIdle } from '../../../src/streams/stream/stream.scripts.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { objectContext } from '../../engine/core/object-fixture.js'

const IDLE_MS = 60_000

/** More than Redis looks at in one round, where it may find one message. */
const MANY = 15

describe('the search for messages that are pending at others', () => {
  noLeaks(single)
  const [node] = single.nodes
  const context = objectContext(() => single.options())

  afterEach(() => node.command('DEL', 'idle'))

  it('finds each of them once, behind many that were deleted and many that are not pending for long', async () => {
    await node.command('XGROUP', 'CREATE', 'idle', 'g', '0', 'MKSTREAM')
    const ids = Array.from({ length: 2 * MANY + 3 }, (_, index) => `${String(index + 1)}-0`)
    for (const id of ids) await node.command('XADD', 'idle', id, 'n', id)
    await node.command('XREADGROUP', 'GROUP', 'g', 'other', 'STREAMS', 'idle', '>')
    const wanted = ids.slice(2 * MANY)
    const deleted = ids.slice(0, MANY)
    for (const id of [...deleted, ...wanted])
      await node.command('XCLAIM', 'idle', 'g', 'other', '0', id, 'IDLE', String(IDLE_MS), 'JUSTID')
    await node.command('XDEL', 'idle', ...deleted)
    const found: string[] = []
    let from = '0-0'
    do {
      const args = { group: 'g', consumer: 'mine', most: 0, idleMs: IDLE_MS, from, count: 1 }
      const taken = await context().executor.run(takeIdle, { keys: { stream: 'idle' }, args })
      found.push(...taken.deliveries.map(({ id, deliveries }) => `${id} ${String(deliveries)}`))
      from = taken.next
    } while (from !== '0-0')
    expect(found).toEqual(wanted.map((id) => `${id} 2`))
    const pending = (await node.command('XPENDING', 'idle', 'g', '-', '+', 100, 'mine')) as unknown[]
    expect(pending).toHaveLength(wanted.length)
  })
})
