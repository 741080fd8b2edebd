import { once } from 'node:events'
import { finished, pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withdraw } from '../../../src/command/operation/command.scripts.js'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import {
  Redisson,
  type BinaryWriteOptions,
  type RBinaryStream,
  type RedissonClient,
} from '../../../src/index.js'
import * as scripts from '../../../src/objects/binary-stream/binary-stream.scripts.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { slottedTopologies, single } from '../../support/topologies.js'

/** A request that is kept back is given up after this time. */
const SETTINGS = { timeout: 500, retryDelay: 5, reconnectionDelay: 5, retryAttempts: 20 }

const bytes = (text: string) => Buffer.from(text)

/** How a stream writes, and its first request by then. */
const ways: readonly (readonly [BinaryWriteOptions, { readonly source: string }])[] = [
  [{ flags: 'a' }, scripts.appendAt],
  [{ flags: 'w' }, scripts.truncate],
  [{ flags: 'r+' }, scripts.writeAt],
]

/** Has a stream write, and ends it. Resolves when it says that nothing is under way any more. */
type End = (stream: RBinaryStream, options: BinaryWriteOptions, asked: Promise<void>) => Promise<void>

const destroyed: End = async (stream, options, asked) => {
  const writing = stream.createWriteStream(options)
  writing.write('late')
  await asked
  writing.destroy()
  await once(writing, 'close')
}

const aborted: End = async (stream, options, asked) => {
  const writer = stream.writable(options).getWriter()
  const write = writer.write(bytes('late'))
  await asked
  await Promise.all([
    writer.abort(),
    expect(write).rejects.toThrow(),
    expect(writer.closed).rejects.toBe(undefined),
  ])
}

describe.each(slottedTopologies)('a chunk that the network keeps back ($kind)', (topology) => {
  noLeaks(topology)

  let door: Proxied<typeof topology>
  let client: RedissonClient
  let stream: RBinaryStream
  let names = 0

  beforeEach(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    stream = client.getBinaryStream(`late-chunk-${String(names++)}`)
    for (const [options] of ways) await pipeline([bytes('a')], stream.createWriteStream(options)) // so that servers know the scripts
  })

  afterEach(async () => {
    await stream.delete()
    await client.shutdown()
    await door.stop()
  })

  /** Does something with the first request that runs a script, and something else with others that follow. */
  const onRequests = (
    sha: string,
    first: (passing: Passing) => Promise<void>,
    others: (passing: Passing) => void,
  ) => {
    let count = 0
    for (const proxy of door.proxies)
      proxy.onRequest(sha, (passing) => (count++ === 0 ? first(passing) : others(passing)), {
        times: Infinity,
      })
  }

  /** Keeps the first request back that runs a script. */
  const keepBack = (sha: string, others: (passing: Passing) => void = () => undefined) => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    onRequests(
      sha,
      async () => {
        asked.resolve()
        await released.promise
      },
      others,
    )
    /** Lets it arrive, and waits until the server has replied. */
    const deliver = async () => {
      const replied = Promise.any(door.proxies.map((proxy) => proxy.onReply(sha).happened))
      released.resolve()
      await replied
    }
    return { asked: asked.promise, deliver }
  }

  describe.each([
    ['destroyed', destroyed],
    ['aborted', aborted],
  ] as const)('by a stream that is %s meanwhile', (_, end) => {
    it.each(ways)('has no effect when it arrives: %j', async (options, script) => {
      const { asked, deliver } = keepBack(onceOf(script).sha)
      await end(stream, options, asked)
      await stream.set(bytes('written since'))
      await deliver()
      expect(String(await stream.get())).toBe('written since')
    })
  })

  it('has no effect when its stream has failed, whose error says that it has not run', async () => {
    const { sha } = onceOf(scripts.appendAt)
    const { asked, deliver } = keepBack(sha, (passing) => {
      passing.refuse('BUSY with something else')
    })
    for (const proxy of door.proxies) proxy.loseReplyTo(withdraw.sha)
    await stream.delete()
    const writing = stream.createWriteStream()
    const failed = finished(writing)
    writing.write('late')
    await asked
    await expect(failed).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: false })
    await deliver()
    expect(await stream.isExists()).toBe(false)
  })

  it('has no effect when it arrives, although Redis had no memory when its stream was destroyed', async () => {
    const memory = (maxmemory: '0' | '1') =>
      Promise.all(topology.nodes.map((node) => node.command('CONFIG', 'SET', 'maxmemory', maxmemory)))
    const { asked, deliver } = keepBack(onceOf(scripts.appendAt).sha)
    await memory('1')
    await destroyed(stream, { flags: 'a' }, asked)
    await memory('0')
    await stream.set(bytes('written since'))
    await deliver()
    expect(String(await stream.get())).toBe('written since')
  })

  it('may have run where its reply was lost, and the error of its stream says so', async () => {
    const { sha } = onceOf(scripts.appendAt)
    await stream.delete()
    onRequests(
      sha,
      () => Promise.resolve(),
      (passing) => {
        passing.refuse('BUSY with something else')
      },
    )
    for (const proxy of door.proxies) proxy.loseReplyTo(sha)
    const writing = stream.createWriteStream()
    writing.write('lost')
    await expect(finished(writing)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: true })
    expect(await askOwner(topology, stream.name, 'GET')).toBe('lost')
  })
})

describe('a chunk that is under way when the client closes', () => {
  noLeaks(single)

  it('may be there, as the error of its stream says', async () => {
    const door = await proxied(single)
    const client = await Redisson.create(door.options())
    const streams = ['node', 'web'].map((kind) => client.getBinaryStream(`late-closing-${kind}`))
    const [one, two] = streams as [RBinaryStream, RBinaryStream]
    await pipeline([bytes('a')], one.createWriteStream())
    const released = Promise.withResolvers<void>()
    const { happened } = door
      .proxyOf(single.nodes[0])
      .onReply(onceOf(scripts.appendAt).sha, () => released.promise)
    const writing = one.createWriteStream()
    const ended = finished(writing)
    writing.write('b')
    const writer = two.writable().getWriter()
    const written = writer.write(bytes('b'))
    await Promise.all(streams.map(({ name }) => eventuallyThere(name)))
    const ends = [
      expect(ended).rejects.toMatchObject({ code: 'CLOSED', mayHaveRun: true }),
      expect(writer.closed).rejects.toMatchObject({ code: 'CLOSED', mayHaveRun: true }),
    ]
    const closed = client.shutdown()
    released.resolve()
    await happened
    await Promise.all([...ends, written, closed])
    await Promise.all(streams.map(({ name }) => single.nodes[0].command('DEL', name)))
    await door.stop()
  })

  /** The first of them has a byte already. */
  const eventuallyThere = (name: string) =>
    eventually(async () => String(await single.nodes[0].command('GET', name)).endsWith('b'))
})
