import { finished, pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { Redisson, type BinaryWriteOptions, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

const streamOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getBinaryStream(name, { exactlyOnce })

type Stream = ReturnType<typeof streamOf>

const bytes = (text: string) => Buffer.from(text)

/** The bytes as text, and whether they are to expire. */
const look = async (client: RedissonClient, name: string) => [
  String(await client.getBinaryStream(name).get()),
  (await client.getBinaryStream(name).remainTimeToLive()) > 0,
]

const having = (text: string) => (client: RedissonClient, name: string) =>
  streamOf(client, name).set(bytes(text), 600_000)

const CHUNKS = ['d', 'e', 'f'].map(bytes)

/** Writes each chunk by a request of its own, by a stream of Node. */
const byNode = (options: BinaryWriteOptions) => (stream: Stream) =>
  pipeline(CHUNKS, stream.createWriteStream({ highWaterMark: 1, ...options }))

/** The same by a web stream. */
const byWeb = (options: BinaryWriteOptions) => async (stream: Stream) => {
  const writer = stream.writable(options).getWriter()
  for (const chunk of CHUNKS) await writer.write(chunk)
  await writer.close()
}

function calling(
  what: string,
  call: (stream: Stream) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [string, string],
): CountingCall {
  return {
    what,
    prepare: having(before),
    call: (client, name, exactlyOnce) => call(streamOf(client, name, exactlyOnce)),
    answer,
    states: [
      [before, true],
      [after, true],
    ],
  }
}

testLostReplies(
  'a binary stream',
  [
    calling('append', (stream) => stream.append(bytes('d')), 4, ['abc', 'abcd']),
    calling('write', (stream) => stream.write(1, bytes('xyz')), 4, ['abc', 'axyz']),
    calling('truncate', (stream) => stream.truncate(1), undefined, ['abc', 'a']),
    calling('truncate to nothing', (stream) => stream.truncate(0), undefined, ['abc', '']),
    calling('a stream at the end', byNode({}), undefined, ['abc', 'abcdef']),
    calling('a stream in place of the value', byNode({ flags: 'w' }), undefined, ['abc', 'def']),
    calling('a stream at a position', byNode({ start: 1 }), undefined, ['abc', 'adef']),
    calling('a web stream at the end', byWeb({}), undefined, ['abc', 'abcdef']),
    calling('a web stream in place of the value', byWeb({ flags: 'w' }), undefined, ['abc', 'def']),
  ],
  look,
)

function overtaken(
  what: string,
  call: (stream: Stream) => Promise<unknown>,
  between: (stream: Stream) => Promise<unknown>,
  { answer, rejects = false }: Pick<RepeatedCall, 'answer' | 'rejects'>,
): RepeatedCall {
  return {
    what,
    prepare: having('abc'),
    call: (client, name, exactlyOnce) => call(streamOf(client, name, exactlyOnce)),
    between: (client, name) => between(streamOf(client, name)),
    answer,
    rejects,
  }
}

const another = (stream: Stream) => stream.append(bytes('x'))

testOvertakenCalls(
  'a binary stream',
  [
    overtaken('append', (stream) => stream.append(bytes('d')), another, { answer: 4, rejects: true }),
    overtaken('write', (stream) => stream.write(2, bytes('de')), another, { answer: 4 }),
    overtaken('truncate', (stream) => stream.truncate(1), another, { answer: undefined }),
    overtaken('set', (stream) => stream.set(bytes('d')), another, { answer: undefined }),
  ],
  look,
)

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

describe('a stream over a connection that breaks', () => {
  noLeaks(single)

  it.each([
    ['requests', 13, {}],
    ['replies', 1, {}],
    ['requests', 13, { flags: 'w' }],
    ['replies', 1, { flags: 'w' }],
    ['requests', 13, { start: 0 }],
    ['replies', 1, { start: 0 }],
  ] as const)(
    'after any number of bytes of its %s, by %i: has each chunk once and in order %j',
    async (direction, step, options) => {
      const key = `cut-stream-${direction}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const stream = client.getBinaryStream(key)
      let byte = 0
      for (; !proxy.cuts; byte += step) {
        proxy.cutAfter(byte, direction)
        await byNode(options)(stream)
        expect(await askOwner(single, key, 'GET'), `cut after ${String(byte)} bytes`).toBe('def')
        expect(String(await buffer(stream.createReadStream({ highWaterMark: 2 })))).toBe('def')
        await askOwner(single, key, 'DEL')
      }
      expect(byte).toBeGreaterThan(20) // or nothing was cut
      await client.shutdown()
      await door.stop()
    },
  )

  it('fails with what was lost, and ends', async () => {
    const door = await proxied(single)
    const proxy = door.proxyOf(single.nodes[0])
    const client = await Redisson.create(door.options({ ...PATIENT, retryAttempts: 1 }))
    const stream = client.getBinaryStream('lost-stream')
    await stream.set(bytes('abc'))
    proxy.loseReplyTo('lost-stream', { times: Infinity })
    const writing = stream.createWriteStream()
    writing.end('d')
    await expect(finished(writing)).rejects.toMatchObject({ code: 'CONNECTION_LOST', mayHaveRun: true })
    await expect(finished(stream.createReadStream().resume())).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
    })
    await proxy.heal()
    expect(String(await stream.getAndDelete())).toMatch(/^abcd?$/)
    await client.shutdown()
    await door.stop()
  })
})
