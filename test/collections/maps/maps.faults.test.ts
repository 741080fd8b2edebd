import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { single } from '../../support/topologies.js'

const content = async (client: RedissonClient, name: string) =>
  Object.fromEntries(await client.getMap(name).readAllMap())

const calls: readonly CountingCall[] = [
  {
    what: 'set',
    prepare: (client, name) => client.getMap(name).put('old', 1),
    call: (client, name, exactlyOnce) => client.getMaps({ exactlyOnce }).set({ [name]: { new: 2 } }),
    answer: undefined,
    states: [{ old: 1 }, { new: 2 }],
  },
  {
    what: 'set of a map without entries',
    prepare: (client, name) => client.getMap(name).put('old', 1),
    call: (client, name, exactlyOnce) => client.getMaps({ exactlyOnce }).set({ [name]: {} }),
    answer: undefined,
    states: [{ old: 1 }, {}],
  },
  {
    what: 'an import',
    prepare: (client, name) => client.getMap(name).put('old', 1),
    call: async (client, name, exactlyOnce) => {
      await using maps = client.getMaps({ exactlyOnce }).createImport({ fields: ['new'] })
      await maps.add(name, [2])
    },
    answer: undefined,
    states: [{ old: 1 }, { new: 2 }],
  },
]

testLostReplies('several maps', calls, content)

describe('several maps, where Redis has no memory', () => {
  let client: RedissonClient
  const limit = (maxmemory: '0' | '1') => single.nodes[0].command('CONFIG', 'SET', 'maxmemory', maxmemory)

  beforeAll(async () => {
    client = await Redisson.create(single.options({ retryAttempts: 0, timeout: 300 }))
  })

  afterAll(async () => {
    await client.shutdown()
  })

  it('stay as they are, and can be removed', async () => {
    const name = 'maps-without-memory'
    await client.getMap(name).put('old', 1)
    await client.getMaps().set({ [`${name}-warm`]: {} })
    await limit('1')
    try {
      await expect(client.getMaps().set({ [name]: { new: 2 } })).rejects.toMatchObject({ mayHaveRun: false })
      expect(await content(client, name)).toEqual({ old: 1 })
      await client.getMaps().set({ [name]: {} })
    } finally {
      await limit('0')
    }
    expect(await content(client, name)).toEqual({})
  })
})
