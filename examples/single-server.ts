// One server. Its URL alone would do as well: `Redisson.create('redis://127.0.0.1:6379/0')`.
import { Redisson } from 'ioredisson'

const client = await Redisson.create({
  lockWatchdogTimeout: 30_000, // how long a lock outlives a process that died with it
  singleServerConfig: {
    address: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    database: 0,
    timeout: 3000, // how long one reply may take
  },
})

await client.getLock('examples:single-server').withLock(() => {
  console.log('locked at a single server')
})
await client.shutdown()
