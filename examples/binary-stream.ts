// A binary stream: a file is piped into Redis, and out of it, chunk by chunk.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const stream = client.getBinaryStream('examples:file')
const folder = await mkdtemp(join(tmpdir(), 'example-'))
const [original, copy] = [join(folder, 'original'), join(folder, 'copy')]
await writeFile(original, 'a line of text\n'.repeat(100_000))

// Each chunk waits until Redis has confirmed the one before it.
await pipeline(createReadStream(original), stream.createWriteStream({ flags: 'w' }))
console.log(`${await stream.size()} bytes in Redis`)

await pipeline(stream.createReadStream(), createWriteStream(copy))
console.log(`the same: ${(await readFile(original)).equals(await readFile(copy))}`)

console.log(`bytes 2 to 5: ${Buffer.from(await stream.read(2, 4)).toString()}`)

await rm(folder, { recursive: true })
await stream.delete()
await client.shutdown()
