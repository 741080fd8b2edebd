import { afterEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { single } from '../../support/topologies.js'
import { standStill } from '../../support/stand-still.js'

const TIMEOUT_MS = 500

describe('a program that blocks its event loop for longer than a reply may take', () => {
  const clients: RedissonClient[] = []

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
  })

  const connect = async () => {
    const client = await Redisson.create(single.options({ timeout: TIMEOUT_MS, retryAttempts: 0 }))
    clients.push(client)
    const drops: unknown[] = []
    client.on('disconnected', (event) => drops.push(event))
    return { client, drops }
  }

  it.each([
    ['before it was sent', 0],
    ['after it was sent', 50],
  ])('gets a reply although it was blocked %s', { tags: ['timed'] }, async (_, turns) => {
    const all = await Promise.all(Array.from({ length: 10 }, connect))
    const lock = `blocked-${String(turns)}`
    await all[0]?.client.getLock(lock).isLocked() // goes on in a callback of a socket, as most programs do
    const replies = Promise.all(all.map(({ client }) => client.getLock(lock).isLocked()))
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    standStill(2 * TIMEOUT_MS)
    expect(await replies).toEqual(all.map(() => false))
    expect(all.flatMap(({ drops }) => drops)).toEqual([])
  })
})
