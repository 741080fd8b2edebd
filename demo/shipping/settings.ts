import type { HostAndPort } from 'ioredisson'

/** Through which queue orders come to those who ship them. */
export type QueueName = 'blocking-queue' | 'reliable-queue'

/** How a worker works. It gets this as JSON on its command line. */
export interface WorkerSettings {
  readonly queue: QueueName
  readonly redis: HostAndPort
  /** The first order that it takes after this time is in its hands when it is killed. */
  readonly doomedAfterMs: number
}

/** The names of what is in Redis. */
export const names = { orders: 'orders', shipped: 'shipped' } as const

/** How soon another worker gets what a killed one had. */
export const WATCHDOG_MS = 1_500
