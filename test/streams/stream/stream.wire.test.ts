import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { Monitor } from '../../support/monitor.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-stream', '{wire}:stream', 'провод-поток'])(
    'a stream called %s is one key of that name',
    async (name) => {
      const stream = clients.mine.getStream(name)
      await stream.add({ text: 'é"', number: 1.5, list: [1, { a: null }], none: null }, { id: '1-1' })
      await stream.add([['большой', 2n ** 60n]], { id: '2-1' })
      await stream.createGroup('g', { from: '0' })
      await stream.readGroup('g', 'c', { count: 1 })
      expect(await look.ask(name, 'TYPE')).toBe('stream')
      expect(await look.ask(name, 'XRANGE', '-', '+')).toEqual([
        ['1-1', ['text', '"é\\""', 'number', '1.5', 'list', '[1,{"a":null}]', 'none', 'null']],
        ['2-1', ['большой', '1152921504606846976']],
      ])
      expect(await look.ask(name, 'XPENDING', 'g')).toEqual([1, '1-1', '1-1', [['c', '1']]])
      await stream.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('sends the words of Java', async () => {
    const stream = clients.mine.getStream('wire-words')
    await using monitor = await Monitor.of([await ownerOf(topology, 'wire-words')]) // replicas see its writes as those of a client
    await stream.add({ a: 1 }, { id: '1-1' })
    await stream.add({ a: 1 }, { id: '2-1', maxLen: 5, limit: 7 })
    await stream.add({ a: 1 }, { id: '3-1', minId: '1', noMakeStream: true })
    await stream.add({ a: 1 }, { id: '4-1', maxLen: 5, exact: true })
    await stream.range({ from: '1', fromInclusive: false, to: '3', count: 2 })
    await stream.read({ after: '1-1', count: 3 })
    await stream.createGroup('g')
    await stream.readGroup('g', 'c', { count: 3, noAck: true })
    await stream.readGroup('g', 'c', { after: '0' })
    await stream.listPending('g', { idleMs: 5, consumer: 'c', count: 2 })
    await stream.fastClaim('g', 'd', { idleMs: 5, ids: ['1-1'] })
    await stream.autoClaim('g', 'd', { idleMs: 5 })
    await stream.trim({ maxLen: 2 })
    await stream.trimNonStrict({ minId: '2' })
    await stream.delete()
    const deeds = await monitor.deeds()
    const sent = deeds.flatMap(({ by, words }) =>
      by === 'client' || words[0]?.startsWith('xg') === true ? [words.join(' ')] : [],
    )
    expect(sent.filter((words) => /^x/i.test(words)).map((words) => words.toLowerCase())).toEqual([
      'xadd wire-words 1-1 a 1',
      'xadd wire-words maxlen ~ 5 limit 7 2-1 a 1',
      'xadd wire-words nomkstream minid ~ 1 3-1 a 1',
      'xadd wire-words maxlen 5 4-1 a 1',
      'xrange wire-words (1 3 count 2',
      'xread count 3 streams wire-words 1-1',
      'xgroup create wire-words g $ mkstream',
      'xreadgroup group g c count 3 noack streams wire-words >',
      'xreadgroup group g c streams wire-words 0',
      'xpending wire-words g idle 5 - + 2 c',
      'xclaim wire-words g d 5 1-1 justid',
      'xautoclaim wire-words g d 5 0-0 count 100',
      'xtrim wire-words maxlen 2',
      'xtrim wire-words minid ~ 2',
    ])
  })

  it('reads what others have written', async () => {
    const name = 'wire-stream-others'
    await look.ask(name, 'XADD', '1-1', 'a', ' [1, 2] ', 'b', '"c"')
    const stream = clients.mine.getStream(name)
    expect(await stream.range()).toEqual([
      {
        id: '1-1',
        fields: new Map<string, unknown>([
          ['a', [1, 2]],
          ['b', 'c'],
        ]),
      },
    ])
    await stream.delete()
  })
})
