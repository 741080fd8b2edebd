import type { HostAndPort } from 'ioredisson'
import { loadPeer } from '../peers/load-peer.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingBut } from './nothing-but.js'
import { SIZES_IN_MEMORY, type Item, type Maybe } from './values.js'

/** A store of BentoCache, as far as it is used here. */
interface Store {
  useL1Layer(driver: unknown): Store
  useL2Layer(driver: unknown): Store
  useBus(driver: unknown): Store
}

/** What is used of BentoCache. */
interface Bento {
  readonly BentoCache: new (options: {
    readonly default: string
    readonly stores: Readonly<Record<string, Store>>
  }) => {
    use(store: string): {
      getOrSet(options: {
        readonly key: string
        readonly ttl: number
        readonly factory: () => Promise<Item>
      }): Promise<Maybe<Item>>
    }
    disconnectAll(): Promise<unknown>
  }
  readonly bentostore: () => Store
}

interface MemoryDriver {
  readonly memoryDriver: (options: { readonly maxItems: number }) => unknown
}

interface RedisDriver {
  readonly redisDriver: (options: { readonly connection: HostAndPort }) => unknown
  readonly redisBusDriver: (options: { readonly connection: HostAndPort }) => unknown
}

export const bentoCache: NodeContender = {
  name: 'BentoCache',
  packageName: 'bentocache',
  settings: 'memory, Redis and the bus of Redis',
  cannot: nothingBut('cache', 'BentoCache is a cache'),
  workloads: ['cache'],

  async open(servers) {
    const { BentoCache, bentostore } = await loadPeer<Bento>('bentocache')
    const { memoryDriver } = await loadPeer<MemoryDriver>('bentocache/drivers/memory')
    const { redisDriver, redisBusDriver } = await loadPeer<RedisDriver>('bentocache/drivers/redis')
    const connection = firstOf(servers)
    const store = (maxItems: number) =>
      bentostore()
        .useL1Layer(memoryDriver({ maxItems }))
        .useL2Layer(redisDriver({ connection }))
        .useBus(redisBusDriver({ connection }))
    const { large, tiny } = SIZES_IN_MEMORY
    const bento = new BentoCache({ default: 'large', stores: { large: store(large), tiny: store(tiny) } })
    return {
      takes: {},
      values: {
        cache: {
          getOrLoad: (name, key, factory) => bento.use(name).getOrSet({ key, factory, ttl: 600_000 }),
        },
      },
      close: () => bento.disconnectAll(),
    }
  },
}
