import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, ChannelKind } from '../../../src/connection/connection.js'
import { askAll } from '../../support/ask-all.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'
import { Listening } from './listening.js'

const BYTES = Buffer.from('ff008041', 'hex')
const HEX = BYTES.toString('hex')
const END = Buffer.from('end')

const kinds: readonly ChannelKind[] = ['plain', 'pattern', 'sharded']

describe.each(slottedTopologies)('channels at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let there: Listening
  let here: Listening
  let names = 0
  let name: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    there = await Listening.to(topology.options())
    here = await Listening.to(door.options({ reconnectionDelay: 5 }))
  })

  beforeEach(() => {
    name = `channel-${String(names++)}`
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await here[Symbol.asyncDispose]()
    await there[Symbol.asyncDispose]()
    await door.stop()
  })

  const channelOf = (kind: ChannelKind): Channel => ({
    kind,
    name: kind === 'pattern' ? `${name.slice(0, -1)}[${name.slice(-1)}]` : name,
  })

  const publish = (kind: ChannelKind, payload: Buffer | string = BYTES) =>
    there.publish(kind === 'sharded' ? 'spublish' : 'publish', name, payload)

  const cut = () => {
    for (const { connections } of door.proxies)
      for (const connection of connections) if (connection.subscribed) connection.cut()
  }

  const hearing = async (kind: ChannelKind) => {
    const part = here.hear(channelOf(kind))
    await eventually(() => part.standing)
    return part
  }

  const gapsAre =
    ({ heard }: { readonly heard: readonly string[] }, count: number) =>
    () =>
      heard.filter((each) => each === 'gap').length === count

  const shardedChannels = async (): Promise<readonly unknown[]> => {
    const found = await askAll(topology.nodes, (node) => node.command('PUBSUB', 'SHARDCHANNELS'))
    return found.flat()
  }

  /** The way to the node that has the subscription: others may have connections of earlier ones, which are idle. */
  const homeOf = async (kind: 'plain' | 'pattern') => {
    const subscribed = kind === 'plain' ? / sub=[1-9]/ : / psub=[1-9]/
    const clients = await askAll(topology.nodes, (node) => node.command('CLIENT', 'LIST', 'TYPE', 'pubsub'))
    return door.proxies[clients.findIndex((list) => subscribed.test(String(list)))]
  }

  describe.each(kinds)('that are %s', (kind) => {
    it('bring bytes as they were published, and in order', async () => {
      const part = await hearing(kind)
      await publish(kind)
      await publish(kind, Buffer.alloc(0))
      await publish(kind, END)
      await eventually(() => part.heard.at(-1) === END.toString('hex'))
      expect(part.heard).toEqual(['subscribed', HEX, '', END.toString('hex')])
      part.leave()
    })

    it('are a gap once after each interruption, and before what comes later', async () => {
      const part = await hearing(kind)
      for (let round = 1; round <= 3; round += 1) {
        cut()
        await eventually(gapsAre(part, round))
        await publish(kind)
        await eventually(() => part.heard.at(-1) === HEX)
      }
      expect(part.heard).toEqual(['subscribed', 'gap', HEX, 'gap', HEX, 'gap', HEX])
      part.leave()
    })

    it('tell the confirmation before the messages that arrive along with it', async () => {
      const warm = here.hear({ ...channelOf(kind), name: `{${name}}-warm` }) // so that there is a connection
      await eventually(() => warm.standing)
      const traps = door.proxies.map((proxy) =>
        proxy.onReply(
          (request) => /^[ps]?subscribe /i.test(request),
          async () => {
            await publish(kind)
            await publish(kind, END)
          },
        ),
      )
      const part = here.hear(channelOf(kind))
      await eventually(() => part.heard.at(-1) === END.toString('hex'))
      expect(part.heard).toEqual(['subscribed', HEX, END.toString('hex')])
      for (const trap of traps) trap[Symbol.dispose]()
      part.leave()
      warm.leave()
    })

    it('tell nothing that was sent for an earlier subscription', async () => {
      const first = await hearing(kind)
      const held = Promise.withResolvers<undefined>()
      const traps = topology.nodes.map((node) =>
        door.proxyOf(node).onRequest(
          (request) => /^[ps]?unsubscribe /i.test(request),
          async () => {
            // At this node: from another one the message might arrive after the next subscription.
            await node.command(kind === 'sharded' ? 'SPUBLISH' : 'PUBLISH', name, HEX)
            held.resolve(undefined)
          },
        ),
      )
      first.leave()
      await setImmediate()
      await setImmediate()
      const second = here.hear(channelOf(kind))
      await held.promise
      await eventually(() => second.standing)
      await publish(kind, END)
      await eventually(() => second.heard.at(-1) === END.toString('hex'))
      expect(second.heard).toEqual(['subscribed', END.toString('hex')])
      for (const trap of traps) trap[Symbol.dispose]()
      second.leave()
    })

    it('bring every message between an interruption and the next, once and in order', async () => {
      const part = await hearing(kind)
      let sent = 0
      const publishing = (async () => {
        for (; sent < 600; sent += 1) await publish(kind, String(sent).padStart(4, '0'))
      })()
      for (let round = 1; round <= 3; round += 1) {
        await eventually(() => sent > round * 150)
        cut()
        await eventually(gapsAre(part, round)) // a connection that is not subscribed yet would not be cut again
      }
      await publishing
      await eventually(async () => {
        await publish(kind, END) // which is lost as well where the last interruption has not been noticed yet
        return part.heard.at(-1) === END.toString('hex')
      })
      part.leave()
      const texts = part.heard
        .slice(1)
        .map((each) => (each === 'gap' ? each : Buffer.from(each, 'hex').toString()))
        .filter((each) => each !== END.toString())
      const numbers = texts.filter((each) => each !== 'gap').map(Number)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      const jumps = texts.filter(
        (each, at) =>
          each === 'gap' || (at > 0 && texts[at - 1] !== 'gap' && Number(each) !== Number(texts[at - 1]) + 1),
      )
      expect(jumps).toEqual(['gap', 'gap', 'gap'])
    })
  })

  it.runIf(topology.kind === 'cluster').each(['plain', 'pattern'] as const)(
    'that are %s move on from a node that cannot be reached, and has no successor',
    async (kind) => {
      const part = await hearing(kind)
      for (let round = 1; round <= 2; round += 1) {
        const home = await homeOf(kind)
        home?.refuse()
        home?.cut()
        await eventually(() => part.heard.filter((each) => each === 'gap').length >= round && part.standing)
        await publish(kind)
        await eventually(() => part.heard.at(-1) === HEX)
        await home?.accept()
      }
      part.leave()
    },
  )

  it('that are sharded may end while others go on', async () => {
    const [sharded, plain] = [await hearing('sharded'), await hearing('plain')]
    sharded.leave()
    await eventually(async () => !(await shardedChannels()).includes(name))
    await publish('plain')
    await eventually(() => plain.heard.at(-1) === HEX)
    plain.leave()
  })

  it('lose no digit of what Redis counts', async () => {
    const reply = await here.connection.send({ name: 'set', args: [name, '9007199254740992'] })
    expect(String(reply)).toBe('OK')
    expect(await here.connection.send({ name: 'incrby', args: [name, 1] })).toBe('9007199254740993')
    await here.connection.send({ name: 'del', args: [name] })
  })
})
