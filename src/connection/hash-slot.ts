import { Command } from 'ioredis'

/** The cluster's hash slot of a key, or of a channel for sharded messages, as ioredis routes by it. */
export function hashSlot(key: string): number {
  return new Command('get', [key]).getSlot()
}
