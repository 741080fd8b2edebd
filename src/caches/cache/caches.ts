import type { LockContext } from '../../core/context/object-context.js'
import { RedissonCache } from './cache.js'
import type { Settings } from './cache-settings.js'

/** The caches of a client: calls with the same name and the same options get the same one, for as long as the program refers to it. */
export class Caches {
  readonly #context: LockContext
  readonly #caches = new Map<string, WeakRef<RedissonCache<never>>>()
  /** Numbers of codecs and schemas, as programs give them. */
  readonly #codecs = new WeakMap<object, number>()
  #codecCount = 0
  readonly #unused = new FinalizationRegistry<string>((id) => {
    if (this.#caches.get(id)?.deref() === undefined) this.#caches.delete(id)
  })

  constructor(context: LockContext) {
    this.#context = context
  }

  get<V>(name: string, settings: Settings<V>): RedissonCache<V> {
    const { given, policy, local } = settings
    const id = JSON.stringify([
      name,
      given.codec === undefined ? 0 : this.#numberOf(given.codec),
      given.validate ?? 'write',
      texts(policy),
      local && texts(local),
    ])
    const known = this.#caches.get(id)?.deref()
    if (known !== undefined) return known as unknown as RedissonCache<V>
    const cache = new RedissonCache<V>(this.#context, name, settings)
    this.#caches.set(id, new WeakRef(cache as unknown as RedissonCache<never>))
    this.#unused.register(cache, id)
    return cache
  }

  #numberOf(codec: object): number {
    const known = this.#codecs.get(codec)
    if (known !== undefined) return known
    this.#codecCount += 1
    this.#codecs.set(codec, this.#codecCount)
    return this.#codecCount
  }
}

/** JSON has no `Infinity`. */
function texts(options: object): readonly string[] {
  return Object.entries(options).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? JSON.stringify(value) : String(value)}`,
  )
}
