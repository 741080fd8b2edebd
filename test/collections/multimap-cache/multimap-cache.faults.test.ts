import type { RedissonClient } from '../../../src/index.js'
import { multimapEnds } from '../../../src/core/context/names.js'
import { askOwner } from '../../support/ask-owner.js'
import { single } from '../../support/topologies.js'
import { testLossesOf, type State } from './lost-replies.js'

async function look(client: RedissonClient, name: string): Promise<State> {
  const ends = multimapEnds(name, 'list')
  const ending = (await askOwner(single, ends, 'ZRANGE', 0, -1)) as string[]
  const cache = client.getListMultimap<string, number>(name)
  const keys = await cache.readAllKeySet()
  const values = await Promise.all(keys.map(async (key) => [key, await cache.getAll(key)] as const))
  return [Object.fromEntries(values), ending]
}

testLossesOf(
  'a multimap cache',
  (client, name, exactlyOnce = false) => client.getListMultimapCache<string, number>(name, { exactlyOnce }),
  look,
)
