import { prefixed } from '../../core/context/names.js'

/** Where the elements wait that a queue gets later: in the order in which they were offered, and in that of their due times. */
export interface DelayedKeys {
  readonly records: string
  readonly dueTimes: string
}

/** @param queue - the key of the destination */
export function delayedKeys(queue: string): DelayedKeys {
  return {
    records: prefixed('redisson_delay_queue', queue),
    dueTimes: prefixed('redisson_delay_queue_timeout', queue),
  }
}

/** The channel at which the due time of a new first element is published: by `PUBLISH`, in a cluster too, as Redisson does. */
export function delayedChannel(queue: string): string {
  return prefixed('redisson_delay_queue_channel', queue)
}
