import type { Redis } from 'ioredis'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Kind, Take } from './contender.js'
import { noRateLimiter } from './no-rate-limiter.js'
import { loadPeer } from '../peers/load-peer.js'
import { takeByUsing } from './take-by-using.js'

/** What is used of redlock 5, and of the package that continued it. */
interface Redlock {
  acquire(resources: string[], durationMs: number): Promise<{ release(): Promise<unknown> }>
  using(resources: string[], durationMs: number, work: () => Promise<void>): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
}
type RedlockClass = new (clients: Redis[], settings: { retryCount: number }) => Redlock

const SETTINGS =
  'retryCount -1 (for ever); retryDelay 200 ± 100 ms as it is. It renews in `using` alone, so only where renewal is measured'

const CANNOT: Readonly<Partial<Record<Kind, string>>> = {
  ...noRateLimiter,
  'fair-lock': 'there is none',
  'read-lock': 'there is none',
  'fenced-lock': 'there is none',
  semaphore: 'there is none',
}

export const redlock = like('redlock', async () => {
  const { default: found } = await loadPeer<{ default: RedlockClass }>('redlock')
  return found
})

export const sesamecareRedlock = like('@sesamecare-oss/redlock', async () => {
  const { Redlock: found } = await loadPeer<{ Redlock: RedlockClass }>('@sesamecare-oss/redlock')
  return found
})

/** Either of two packages that are used in the same way. */
function like(packageName: string, load: () => Promise<RedlockClass>): NodeContender {
  return {
    name: packageName,
    packageName,
    settings: SETTINGS,
    cannot: CANNOT,

    async open(servers, { leaseMs }) {
      const Redlock = await load()
      const clients = await connectEach(servers)
      const locks = new Redlock(clients, { retryCount: -1 })
      locks.on('error', () => undefined) // it tells of every try that fails

      const lock: Take = async (name) => {
        const taken = await locks.acquire([name], leaseMs)
        return () => taken.release()
      }
      const renewed: Take = (name) => takeByUsing((work) => locks.using([name], leaseMs, work))
      return {
        takes: { lock, 'renewed-lock': renewed, 'red-lock': lock },
        close: () => quitEach(clients),
      }
    },
  }
}
