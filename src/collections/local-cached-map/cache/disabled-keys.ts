import type { CacheMessage } from './cache-messages.js'

/** What a transaction of Redisson for Java changes, and when it is over at the latest. */
interface Disabled {
  readonly isWhole: boolean
  readonly hashes: ReadonlySet<string>
  readonly until: number
}

/** The keys that are not cached, because a transaction of Redisson for Java is about to change them. */
export class DisabledKeys {
  readonly #requests = new Map<string, Disabled>()

  disable({ requestId, isWhole, hashes, timeoutMs }: CacheMessage & { readonly type: 'disable' }): void {
    this.#requests.set(requestId, {
      isWhole,
      hashes: new Set(hashes),
      until: performance.now() + timeoutMs,
    })
  }

  /** A transaction has ended. */
  enable(requestId: string): void {
    this.#requests.delete(requestId)
  }

  has(hash: string): boolean {
    if (this.#requests.size === 0) return false
    const now = performance.now()
    for (const [requestId, { isWhole, hashes, until }] of this.#requests) {
      if (until <= now) this.#requests.delete(requestId)
      else if (isWhole || hashes.has(hash)) return true
    }
    return false
  }

  clear(): void {
    this.#requests.clear()
  }
}
