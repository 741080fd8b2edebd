import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { startSingle } from '../../support/servers.js'
import { pipeInto, pipeOut } from './fixtures/piping.js'

const MIB = 2 ** 20
const SIZE = 100 * MIB

/** Some chunks, and what sockets hold of them. */
const MOST_HELD = 2 * MIB

describe('a binary stream of 100 MB', () => {
  let server: SingleTopology
  let client: RedissonClient

  beforeAll(async () => {
    server = await startSingle()
    client = await Redisson.create(server.options())
  })

  afterAll(async () => {
    await client.shutdown()
    await server.stop()
  })

  it('is piped in and out in the memory of some chunks', { timeout: 300_000 }, async () => {
    const stream = client.getBinaryStream('soak')
    const written = await pipeInto(stream, SIZE)
    expect(await stream.size()).toBe(SIZE)
    const [byNode, byWeb] = [await pipeOut(stream.createReadStream()), await pipeOut(stream.readable())]
    expect([byNode.hash, byWeb.hash]).toEqual([written.hash, written.hash])
    for (const { peak } of [written, byNode, byWeb]) expect(peak).toBeLessThan(MOST_HELD)
  })
})
