import type { NodeContender, Take } from './contender.js'
import { noRateLimiter } from './no-rate-limiter.js'
import { firstOf } from './first-of.js'
import { loadPeer } from '../peers/load-peer.js'

/** What is used of the package. */
interface NodeRedisson {
  readonly Redisson: new (config: Config) => {
    getLock(name: string): { lock(): Promise<void>; unlock(): Promise<void> }
    quit(): Promise<void>
  }
}
interface Config {
  readonly redis: { readonly options: { readonly host: string; readonly port: number } }
  readonly lockWatchdogTimeout: bigint
}

export const nodeRedisson: NodeContender = {
  name: 'node-redisson',
  packageName: 'node-redisson',
  settings:
    'nothing but the address and the time of the watchdog; a lock object for each owner. It renews all that is held',
  cannot: {
    ...noRateLimiter,
    'fair-lock': 'there is none',
    'read-lock': 'there is none',
    'fenced-lock': 'there is none',
    semaphore: 'there is none',
    'red-lock': 'there is none',
  },

  async open(servers, { leaseMs }) {
    const { Redisson } = await loadPeer<NodeRedisson>('node-redisson')
    const { host, port } = firstOf(servers)
    const client = new Redisson({ redis: { options: { host, port } }, lockWatchdogTimeout: BigInt(leaseMs) })

    const lock: Take = async (name) => {
      const taken = client.getLock(name)
      await taken.lock()
      return () => taken.unlock()
    }
    return { takes: { lock, 'renewed-lock': lock }, close: () => client.quit() }
  },
}
