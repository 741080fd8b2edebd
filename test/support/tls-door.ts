import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { HostAndPort } from '../../src/api/redisson-options.js'

const certificates = new URL('certificates/', import.meta.url)

/** The certificate of every {@link openTlsDoor}, which is its own authority. */
export const certificate = readFileSync(new URL('server.crt', certificates))

/** An entrance to a server that speaks TLS, as many providers put before it. */
export async function openTlsDoor(target: HostAndPort): Promise<HostAndPort & AsyncDisposable> {
  const key = readFileSync(new URL('server.key', certificates))
  const server = createServer({ cert: certificate, key }, (client) => {
    const upstream = connect(target.port, target.host)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => {
        closed.resolve()
      })
      await closed.promise
    },
  }
}
