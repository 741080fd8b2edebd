// A Redis Cluster. A lock lives at the node that owns the slot of its name, and so does its channel.
import { Redisson } from 'ioredisson'

const nodes = process.env['CLUSTER_URLS'] ?? 'redis://127.0.0.1:7000 redis://127.0.0.1:7001'

const client = await Redisson.create({
  clusterServersConfig: {
    nodeAddresses: nodes.split(' '), // one that replies is enough to find the others
    shardedSubscriptionMode: 'AUTO', // sharded messages where the server knows them, which is from version 7 on
  },
})

const names = ['examples:cluster:a', 'examples:cluster:b', 'examples:cluster:c']
const taken = await Promise.all(names.map((name) => client.getLock(name).withLock(() => name)))
console.log(`locked ${taken.length} names, at any node`)
await client.shutdown()
