import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { addressOf } from '../../support/launch/topology.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { startSingle } from '../../support/servers.js'
import { Taking } from './taking.js'

const SETTINGS = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

/** What listens to changes of keys is the only connection that has subscribed to anything. */
const others = { 'the one that reads': false, 'the one that hears': true }

describe('an address that leads to another server from now on', () => {
  let first: SingleTopology
  let second: SingleTopology
  let door: TcpProxy
  let taking: Taking
  /** What the connection that hears is called at its server. */
  let hearerId: Promise<number>

  beforeEach(async () => {
    ;[first, second] = await Promise.all([startSingle(), startSingle()])
    door = await startProxy(first.nodes[0])
    const { promise, resolve } = Promise.withResolvers<number>()
    door.onReply('client id', ({ reply = '' }) => {
      resolve(Number(reply.slice(1)))
    })
    hearerId = promise
    taking = await Taking.at({ singleServerConfig: { address: `redis://${addressOf(door)}`, ...SETTINGS } })
  })

  afterEach(async () => {
    await taking[Symbol.asyncDispose]()
    await door.close()
    await Promise.all([first.stop(), second.stop()])
  })

  /** Has requests go to the second server, and one of the two connections that notice changes of keys. */
  function move(hearerMoves: boolean): void {
    door.target = second.nodes[0]
    const [requests, ...both] = door.connections
    requests?.cut()
    for (const connection of both) if (connection.subscribed === hearerMoves) connection.cut()
  }

  const add = () => second.nodes[0].command('RPUSH', 'waited-for', 'it')

  it.each(Object.entries(others))('is followed if only %s is connected anew', async (_, hearerMoves) => {
    const taken = taking.take('waited-for')
    await eventually(() => taking.isWaiting('waited-for'))
    move(hearerMoves)
    await eventually(() => door.connections.every(({ target }) => target === second.nodes[0]))
    await eventually(() => taking.isWaiting('waited-for'))
    await add()
    expect(await taken).toBe('it')
  })

  it('is followed also where somebody else has the same id at the other server', async () => {
    const taken = taking.take('waited-for')
    await eventually(() => taking.isWaiting('waited-for'))
    const somebodyElse: Redis[] = []
    for (let id = 0; id < (await hearerId);) {
      const redis = new Redis(second.nodes[0].port, second.nodes[0].host)
      somebodyElse.push(redis)
      id = await redis.client('ID')
    }
    move(false)
    await eventually(() => door.connections.every(({ target }) => target === second.nodes[0]))
    await eventually(() => taking.isWaiting('waited-for'))
    await add()
    expect(await taken).toBe('it')
    for (const redis of somebodyElse) redis.disconnect()
  })
})
