import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ITEMS, now, type Reply } from './settings.js'

/** How long the supplier needs to say what an item costs. */
const LOOK_UP_MS = 20

/** How long a message of a change may take. */
export const HEARD_WITHIN_MS = 100

/** A price from a moment on. */
interface Change {
  readonly version: number
  /** When everybody was to know it, in milliseconds since 1970; none where that is not confirmed. */
  knownAt?: number
}

/** Knows what each item costs, and is asked over HTTP. */
export class Supplier implements AsyncDisposable {
  /** How often it was asked. */
  loads = 0
  readonly #changes = new Map<string, Change[]>(ITEMS.map((item) => [item, [{ version: 1, knownAt: 0 }]]))
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.loads += 1
      const version = this.#versionOf(decodeURIComponent(request.url?.slice(1) ?? ''))
      void sleep(LOOK_UP_MS).then(() => response.end(String(version)))
    })
  }

  static async open(): Promise<Supplier> {
    const supplier = new Supplier()
    supplier.#server.listen(0, '127.0.0.1')
    await once(supplier.#server, 'listening')
    return supplier
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Changes a price, and then lets it be known. */
  async change(item: string, letKnow: () => Promise<unknown>): Promise<void> {
    const change: Change = { version: this.#versionOf(item) + 1 }
    this.#changes.get(item)?.push(change)
    await letKnow()
    change.knownAt = now()
  }

  /** Whether a customer was shown a price although a newer one had been known for a moment when it was asked for. */
  isStale({ item, version, askedAt }: Reply): boolean {
    const changes = this.#changes.get(item) ?? []
    return changes.some(
      (change) => change.version > version && (change.knownAt ?? Infinity) + HEARD_WITHIN_MS < askedAt,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #versionOf(item: string): number {
    return this.#changes.get(item)?.at(-1)?.version ?? 0
  }
}
