import type { RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'

type Stream = ReturnType<typeof streamOf>

const streamOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getStream<string, number>(name, { exactlyOnce })

/** Three messages, of which the first is pending at `one`. */
async function prepare(client: RedissonClient, name: string): Promise<void> {
  const stream = streamOf(client, name)
  await stream.delete()
  for (const n of [1, 2, 3]) await stream.add({ n }, { id: `${String(n)}-1` })
  await stream.createGroup('g', { from: '0' })
  await stream.readGroup('g', 'one', { count: 1 })
}

/** The messages, what is pending how often at whom, and the consumers. */
async function look(client: RedissonClient, name: string): Promise<unknown> {
  const stream = streamOf(client, name)
  if (!(await stream.isExists())) return 'none'
  const groups = await stream.listGroups()
  const pending = groups.length === 0 ? [] : await stream.listPending('g')
  return [
    (await stream.range()).map(({ id }) => id).join(' '),
    pending.map(({ id, consumer, deliveries }) => `${id} ${consumer} ${String(deliveries)}`).join(', '),
    groups.map((group) => `${group.name} ${String(group.consumers)} ${group.lastDeliveredId}`).join(', '),
  ]
}

const ALL = '1-1 2-1 3-1'
const BEFORE = [ALL, '1-1 one 1', 'g 1 1-1']

function calling(
  what: string,
  call: (stream: Stream) => Promise<unknown>,
  answer: unknown,
  after: unknown,
): CountingCall {
  return {
    what,
    prepare,
    call: (client, name, exactlyOnce) => call(streamOf(client, name, exactlyOnce)),
    answer,
    states: [BEFORE, after],
  }
}

const one = { id: '1-1', fields: new Map([['n', 1]]) }
const two = { id: '2-1', fields: new Map([['n', 2]]) }

testLostReplies(
  'a stream',
  [
    calling('add', (stream) => stream.add({ n: 4 }, { id: '4-1' }), '4-1', [
      `${ALL} 4-1`,
      '1-1 one 1',
      'g 1 1-1',
    ]),
    calling(
      'readGroup',
      (stream) => stream.readGroup('g', 'one', { count: 1 }),
      [two],
      [ALL, '1-1 one 1, 2-1 one 1', 'g 1 2-1'],
    ),
    calling('ack', (stream) => stream.ack('g', '1-1'), 1, [ALL, '', 'g 1 1-1']),
    calling('remove', (stream) => stream.remove('3-1'), 1, ['1-1 2-1', '1-1 one 1', 'g 1 1-1']),
    calling('trim', (stream) => stream.trim({ maxLen: 2 }), 1, ['2-1 3-1', '1-1 one 1', 'g 1 1-1']),
    calling(
      'claim',
      (stream) => stream.claim('g', 'two', { idleMs: 0, ids: ['1-1'] }),
      [one],
      [ALL, '1-1 two 2', 'g 2 1-1'],
    ),
    calling(
      'fastClaim',
      (stream) => stream.fastClaim('g', 'two', { idleMs: 0, ids: ['1-1'] }),
      ['1-1'],
      [ALL, '1-1 two 1', 'g 2 1-1'],
    ),
    calling(
      'autoClaim',
      (stream) => stream.autoClaim('g', 'two', { idleMs: 0 }),
      { nextId: '0-0', messages: [one], deletedIds: [] },
      [ALL, '1-1 two 2', 'g 2 1-1'],
    ),
    calling(
      'fastAutoClaim',
      (stream) => stream.fastAutoClaim('g', 'two', { idleMs: 0 }),
      { nextId: '0-0', ids: ['1-1'], deletedIds: [] },
      [ALL, '1-1 two 1', 'g 2 1-1'],
    ),
    calling('createConsumer', (stream) => stream.createConsumer('g', 'two'), true, [
      ALL,
      '1-1 one 1',
      'g 2 1-1',
    ]),
    calling('removeConsumer', (stream) => stream.removeConsumer('g', 'one'), 1, [ALL, '', 'g 0 1-1']),
    calling('removeGroup', (stream) => stream.removeGroup('g'), true, [ALL, '', '']),
    calling('createGroup', (stream) => stream.createGroup('h', { from: '0' }), true, [
      ALL,
      '1-1 one 1',
      'g 1 1-1, h 0 0-0',
    ]),
    calling('updateGroupMessageId', (stream) => stream.updateGroupMessageId('g', '2-1'), undefined, [
      ALL,
      '1-1 one 1',
      'g 1 2-1',
    ]),
    calling('delete', (stream) => stream.delete(), true, 'none'),
  ],
  look,
)
