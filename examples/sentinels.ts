// A master that sentinels watch over. A lock counts only when a replica has it too, or it is not taken.
import { Redisson } from 'ioredisson'

const sentinels = process.env['SENTINEL_URLS'] ?? 'redis://127.0.0.1:26379 redis://127.0.0.1:26380'

const client = await Redisson.create({
  checkLockSyncedSlaves: true, // off unless asked for
  sentinelServersConfig: {
    masterName: 'mymaster',
    sentinelAddresses: sentinels.split(' '), // one that replies is enough to find the others
  },
})

await client.getLock('examples:sentinels').withLock(() => {
  console.log('locked at the master, and at a replica')
})
await client.shutdown()
