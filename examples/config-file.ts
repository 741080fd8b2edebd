// Settings from a file of Redisson's shape, in YAML or JSON: one file for services in Java and in Node.
import { fileURLToPath } from 'node:url'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(fileURLToPath(new URL('redisson.yaml', import.meta.url)))

await client.getLock('examples:config-file').withLock(() => {
  console.log('locked with the settings of a file')
})
await client.shutdown()
