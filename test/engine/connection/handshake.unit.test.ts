import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { AbstractConnector } from 'ioredis'
import { expect, it } from 'vitest'
import { openRedis } from '../../../src/connection/login/handshake.js'

/** Never connects. */
class Nowhere extends AbstractConnector {
  constructor() {
    super(0)
  }

  override connect(): Promise<Socket> {
    const stream = Object.assign(new Socket(), { connecting: true })
    this.stream = stream
    return Promise.resolve(stream)
  }
}

// As with TLS: the certificate is refused, and then the server sends its alert.
it('a socket may report several errors, of which ioredis hears one', async () => {
  const redis = openRedis({ Connector: Nowhere, lazyConnect: true, retryStrategy: () => null })
  const heard: unknown[] = []
  redis.on('error', (error) => heard.push(error))
  const connected = redis.connect().catch((error: unknown) => error)
  await setImmediate() // ioredis has its listeners then
  const { stream } = redis as unknown as { readonly stream: Socket }
  const refused = new Error('certificate has expired')
  stream.emit('error', refused)
  expect(() => stream.emit('error', new Error('alert decode error'))).not.toThrow()
  stream.destroy()
  await connected
  expect(heard).toEqual([refused])
})

it('a socket that is about to end gets no further listeners from disconnects', async () => {
  const redis = openRedis({ Connector: Nowhere, lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  const connected = redis.connect().catch((error: unknown) => error)
  await setImmediate()
  const { stream } = redis as unknown as { readonly stream: Socket }
  redis.disconnect()
  const before = stream.listenerCount('close')
  for (let more = 0; more < 10; more += 1) redis.disconnect()
  expect(stream.listenerCount('close')).toBe(before)
  stream.destroy()
  await connected
})
