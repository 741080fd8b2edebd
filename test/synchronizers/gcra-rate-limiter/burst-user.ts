/** A process that sends many requests at once, and says how many have passed. */
import { Redisson, type RedissonOptions } from '../../../src/index.js'
import { hear, tell } from '../../support/child-side.js'

const [options = '', name = '', burst = '', requests = ''] = process.argv.slice(2)
const client = await Redisson.create(JSON.parse(options) as RedissonOptions)
const limiter = client.getRateLimiter(name, {
  algorithm: 'gcra',
  limit: 1,
  perMs: 3_600_000,
  burst: Number(burst),
})
await limiter.peek('all')
tell('ready')
await hear('go')
const results = await Promise.all(Array.from({ length: Number(requests) }, () => limiter.consume('all')))
tell('done', { passed: results.filter(({ allowed }) => allowed).length })
await client.shutdown()
process.exit()
