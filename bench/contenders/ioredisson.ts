import type { HostAndPort, LockHold, RLock } from 'ioredisson'
import { PERMITS, type NodeContender, type Take } from './contender.js'
import { firstOf } from './first-of.js'

/** This library, from its build. */
export const ioredisson: NodeContender = {
  name: 'ioredisson',
  packageName: 'ioredisson',
  settings: 'nothing but the address; every lock is renewed by the watchdog',
  cannot: {},

  async open(servers, { leaseMs }) {
    const { Redisson } = await import('ioredisson') // here, because only its own process needs it
    const clients = await Promise.all(
      servers.map((server) =>
        Redisson.create({
          singleServerConfig: { address: addressOf(server) },
          lockWatchdogTimeout: leaseMs,
        }),
      ),
    )
    const client = firstOf(clients)

    const lock = taking((name) => client.getLock(name))
    return {
      takes: {
        lock,
        'renewed-lock': lock,
        'fair-lock': taking((name) => client.getFairLock(name)),
        'read-lock': taking((name) => client.getReadWriteLock(name).readLock()),
        'fenced-lock': taking((name) => client.getFencedLock(name)),
        'red-lock': taking((name) => Redisson.createRedLock(clients, name)),
        semaphore: async (name) => {
          const semaphore = client.getSemaphore(name)
          await permitsOf(name, () => semaphore.trySetPermits(PERMITS))
          await semaphore.acquire()
          return () => semaphore.release()
        },
      },
      close: () => Promise.all(clients.map((each) => each.shutdown())),
    }
  },
}

/** Locks, each by an owner of its own. */
function taking(get: (name: string) => Pick<RLock, 'acquire'>): Take {
  return async (name) => {
    const hold: LockHold = await get(name).acquire()
    return () => hold.unlock()
  }
}

const prepared = new Map<string, Promise<unknown>>()

/** Says only once how many permits there are. */
function permitsOf(name: string, set: () => Promise<unknown>): Promise<unknown> {
  const setting = prepared.get(name) ?? set()
  prepared.set(name, setting)
  return setting
}

function addressOf({ host, port }: HostAndPort): string {
  return `redis://${host}:${String(port)}`
}
