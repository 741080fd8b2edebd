import { Redis, type Cluster } from 'ioredis'
import { ConnectionLostError } from '../errors/connection-errors.js'
import { outside } from '../util/outside.js'
import { addressOf } from './node-link.js'

/** A refusal that another attempt would only meet again. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)|Authentication/

/** Connects for the first time; rejects when the servers cannot be reached within a few attempts, or refuse us. */
export async function firstContact(redis: Redis | Cluster, attempts: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const failures = { error: 0, close: 0 }
  let cause = new Error('The connection was closed')
  let nodeCause: Error | undefined
  const fail = (event: 'error' | 'close') => {
    failures[event] += 1
    if (failures[event] > attempts || REFUSED.test(cause.message)) reject(nodeCause ?? cause)
  }
  // An attempt that failed tells it by one event or the other, or by both.
  const listeners = {
    ready: resolve,
    close: () => {
      fail('close')
    },
    error: (error: Error) => {
      cause = error
      fail('error')
    },
    // A cluster says only that no node could be asked; why is known where the node was to be reached.
    'node error': (error: Error) => {
      if ('syscall' in error) nodeCause = error
    },
  }
  for (const [event, listener] of Object.entries(listeners)) redis.on(event, listener)
  try {
    outside(() => redis.connect()).catch(() => undefined) // ioredis goes on by itself; we count its attempts
    await promise
  } catch (error) {
    throw new ConnectionLostError(
      `Could not connect to Redis${placeOf(redis)}: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  } finally {
    for (const [event, listener] of Object.entries(listeners)) redis.off(event, listener)
  }
}

function placeOf(redis: Redis | Cluster): string {
  return redis instanceof Redis ? ` at ${addressOf(redis)}` : ''
}
