/** A process that runs functions of a limiter, and says when each of them begins and ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type RedissonOptions } from '../../../src/index.js'
import { hear, tell } from '../../support/child-side.js'

const [options = '', name = '', concurrency = '', functions = '', ms = ''] = process.argv.slice(2)
const client = await Redisson.create(JSON.parse(options) as RedissonOptions)
const limiter = client.getWorkLimiter(name, { concurrency: Number(concurrency) })
await client.ping()
tell('ready')
await hear('go')
const run = async ({ signal }: { readonly signal: AbortSignal }) => {
  tell('begun', { at: Date.now() })
  await sleep(Number(ms), undefined, { signal }).catch(() => undefined)
  tell('ended', { at: Date.now() })
}
await Promise.all(Array.from({ length: Number(functions) }, () => limiter.run(run)))
tell('done')
await client.shutdown()
process.exit()
