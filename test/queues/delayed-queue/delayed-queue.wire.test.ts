import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Look } from '../../support/look.js'
import { slottedTopologies } from '../../support/topologies.js'

const LONG_MS = 600_000

/** As Redisson writes it: eight random bytes, then a value of seven bytes. */
const GOLDEN = ['08', '4142434445464748', '0700000000000000', Buffer.from('"hello"').toString('hex')].join('')

describe.each(slottedTopologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['wire-delayed', '{wire-delayed}'],
    ['{wire}:delayed', '{wire}:delayed'],
    ['провод', '{провод}'],
  ])('a delayed queue for %s has its records at the keys of %s', async (name, tagged) => {
    const queue = clients.mine.getQueue(name)
    await using delayed = clients.mine.getDelayedQueue(queue)
    const [records, dueTimes] = [`redisson_delay_queue:${tagged}`, `redisson_delay_queue_timeout:${tagged}`]
    const before = Date.now()
    await delayed.offer('hello', LONG_MS)
    const [[record, due]] = Object.entries(await look.membersOf(dueTimes)) as [[string, string]]
    expect(record.slice(0, 2) + '4142434445464748' + record.slice(18)).toBe(GOLDEN)
    expect(Number(due)).toBeGreaterThanOrEqual(before + LONG_MS - 1)
    expect(Number(due)).toBeLessThanOrEqual(Date.now() + LONG_MS + 1)
    expect(await look.ask(records, 'TYPE')).toBe('list')
    expect(await look.ask(records, 'LLEN')).toBe(1)
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    await delayed.offer('later', 2 * LONG_MS)
    expect(await look.messagesAt(`redisson_delay_queue_channel:${tagged}`)).toEqual([`publish ${due}`])
    await delayed.delete()
    for (const key of [records, dueTimes]) expect(await look.ask(key, 'EXISTS')).toBe(0)
  })

  it('reads and moves what others have written', async () => {
    const queue = clients.mine.getQueue<string>('wire-delayed-others')
    const [records, dueTimes] = [
      'redisson_delay_queue:{wire-delayed-others}',
      'redisson_delay_queue_timeout:{wire-delayed-others}',
    ]
    const record = Buffer.from(GOLDEN, 'hex').toString() // all of its bytes are ASCII
    await look.ask(dueTimes, 'ZADD', Date.now() + LONG_MS, record)
    await look.ask(records, 'RPUSH', record)
    await using delayed = clients.mine.getDelayedQueue(queue)
    expect(await delayed.readAll()).toEqual(['hello'])
    expect(await delayed.contains('hello')).toBe(true)
    await look.ask(dueTimes, 'ZADD', 1, record)
    await look.ask('redisson_delay_queue_channel:{wire-delayed-others}', 'PUBLISH', '1')
    await eventually(async () => {
      expect(await look.ask(queue.name, 'LRANGE', 0, -1)).toEqual(['"hello"'])
    })
    expect(await delayed.isExists()).toBe(false)
    expect(await look.ask(dueTimes, 'EXISTS')).toBe(0)
    await queue.delete()
  })
})
