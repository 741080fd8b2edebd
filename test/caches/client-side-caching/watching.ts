import { eventually } from '../../support/eventually.js'
import type { TcpProxy } from '../../support/proxy.js'

/** Counts the requests of a client about some names. */
export class Watching {
  #asked = 0

  constructor(proxies: readonly TcpProxy[], name: string) {
    const count = () => {
      this.#asked += 1
    }
    for (const proxy of proxies)
      proxy.onRequest((request) => request.includes(name), count, { times: Infinity })
  }

  /** How many requests a call has sent. */
  async sentBy(call: () => Promise<unknown>): Promise<number> {
    const before = this.#asked
    await call()
    return this.#asked - before
  }

  /** Reads until that sends nothing. Resolves with what is kept. */
  async kept<T>(read: () => Promise<T>): Promise<T> {
    let found: T | undefined
    await eventually(
      async () => {
        const sent = await this.sentBy(async () => {
          found = await read()
        })
        return sent === 0
      },
      { what: 'a read that sends nothing' },
    )
    return found as T
  }
}
