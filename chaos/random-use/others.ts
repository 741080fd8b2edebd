import type { RedissonOptions } from '../../src/index.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import { proxied } from '../../test/support/proxied.js'
import type { TcpProxy } from '../../test/support/proxy.js'
import { startSingle } from '../../test/support/servers.js'

/** A server that stands for itself, behind a proxy. */
export interface Other {
  readonly node: RunningNode
  readonly proxy: TcpProxy
  /** What clients need to connect through the proxy. */
  readonly options: RedissonOptions
}

/** Servers beside those of a topology. They are started when they are first needed, and stay until the end. */
export class Others implements AsyncDisposable {
  readonly #started: Other[] = []
  readonly #ends = new AsyncDisposableStack()

  async take(count: number): Promise<readonly Other[]> {
    while (this.#started.length < count) this.#started.push(await this.#start())
    return this.#started.slice(0, count)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ends.disposeAsync()
  }

  async #start(): Promise<Other> {
    const server = this.#ends.use(await startSingle())
    const door = await proxied(server)
    this.#ends.defer(() => door.stop())
    const [proxy] = door.proxies
    if (proxy === undefined) throw new RangeError('Expected a proxy in front of the server, got none')
    return { node: server.nodes[0], proxy, options: door.options() }
  }
}
