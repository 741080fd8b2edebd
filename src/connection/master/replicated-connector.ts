import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as createTlsConnection } from 'node:tls'
import { AbstractConnector, type Redis } from 'ioredis'
import type { Address, Config } from '../../config/config.js'
import type { MasterFinder } from './master-finder.js'

/** The server of each socket. */
const opened = new WeakMap<object, Address>()

/** Returns the server that a connection of a {@link replicatedConnector} leads to; undefined while it leads to none. */
export function serverOf({ stream }: Redis): Address | undefined {
  return (stream as Socket | undefined) && opened.get(stream)
}

/** Returns the class by which ioredis connects to whichever server is the master at the time. */
export function replicatedConnector(
  finder: MasterFinder,
  config: Config,
): new (options: unknown) => AbstractConnector {
  return class ReplicatedConnector extends AbstractConnector {
    #pause = new AbortController()

    constructor(options: unknown) {
      super((options as { readonly disconnectTimeout: number }).disconnectTimeout)
    }

    override check(info: { readonly role?: string }): boolean {
      return info.role === undefined || info.role === 'master'
    }

    /** Searches until there is a master: ioredis does not try again after a connector that throws. */
    override async connect(tell: (event: 'error', error: Error) => void): Promise<Socket> {
      this.connecting = true
      const { signal } = (this.#pause = new AbortController())
      for (let attempt = 0; ; attempt++) {
        const master = await this.resolve()
        if (this.#abandoned) throw new Error('The connection was closed')
        if (master !== undefined) return this.#open(master)
        tell('error', new Error('None of the servers is a master'))
        await sleep(config.reconnectionDelay(attempt), undefined, { signal }).catch(() => undefined)
      }
    }

    /** Finds the master. The name is that of ioredis's connector for sentinels, which `ConnectionLogin` expects. */
    resolve(): Promise<Address | undefined> {
      return finder.find()
    }

    override disconnect(): void {
      super.disconnect()
      this.#pause.abort()
    }

    #open(server: Address): Socket {
      const { host, port, tls } = server
      const stream = tls
        ? createTlsConnection({ ...config.tls, host, port })
        : createConnection({ host, port })
      opened.set(stream, server)
      this.stream = stream
      stream.once('error', (error: Error) => {
        this.firstError = error
      })
      return stream
    }

    /** Whether the connection was closed while the master was looked for. */
    get #abandoned(): boolean {
      return !this.connecting
    }
  }
}
