// A map whose entries the server itself has expire; where the server is too old for that, a map cache.
import { isRedissonError, Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const native = client.getMapCacheNative<string, number>('examples:native-codes')

async function isSupported(): Promise<boolean> {
  try {
    await native.remainTimeToLive('any')
    return true
  } catch (error) {
    if (isRedissonError(error, 'UNSUPPORTED_COMMAND')) return false
    throw error
  }
}

const codes = (await isSupported()) ? native : client.getMapCache<string, number>('examples:codes')
await codes.put('ada', 4711, { ttlMs: 60_000 })
console.log(`code: ${await codes.get('ada')}`)
console.log(`ends: ${(await codes.remainTimeToLive('ada')) > 0}`)

console.log(`later: ${await codes.expireEntry('ada', { ttlMs: 120_000 })}`)
console.log(`first: ${await codes.fastPutIfAbsent('alan', 4712, { ttlMs: 60_000 })}`)

// A value that is put without a time does not end.
await codes.put('ada', 4713)
console.log(`ends: ${(await codes.remainTimeToLive('ada')) > 0}`)

await codes.delete()
await client.shutdown()
