import { describe } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { single } from '../../support/topologies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { testLossesOf, type State } from '../multimap-cache/lost-replies.js'

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getListMultimapCacheNative<string, number>(name, { exactlyOnce })

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = cacheOf(client, name)
  const keys = await cache.readAllKeySet()
  const found = await Promise.all(
    keys.map(async (key) => {
      const [end] = (await askOwner(single, name, 'HPEXPIRETIME', 'FIELDS', 1, key)) as number[]
      const isEnding = (await cache.get(key).remainTimeToLive()) > 0
      if (isEnding !== Number(end) > 0) throw new Error(`${key} and its values differ in their ends`)
      return { key, values: await cache.getAll(key), isEnding }
    }),
  )
  const ending = found.filter(({ isEnding }) => isEnding).map(({ key }) => key)
  return [Object.fromEntries(found.map(({ key, values }) => [key, values])), ending]
}

describe('with a server that knows the ends of fields,', () => {
  needEndsOfFields()
  testLossesOf('a native multimap cache', cacheOf, look)
})
