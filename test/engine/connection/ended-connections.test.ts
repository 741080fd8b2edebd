import { expect, it } from 'vitest'
import { openRedis } from '../../../src/connection/login/handshake.js'
import { onFreePorts } from '../../support/launch/free-ports.js'

it('a connection that was refused leaves no timer when it is closed', async () => {
  const port = await onFreePorts(1, ([free = 0]) => Promise.resolve(free))
  const redis = openRedis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  const ended = new Promise((resolve) => redis.once('end', resolve))
  await expect(redis.connect()).rejects.toThrow()
  await ended
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  redis.disconnect()
  expect(timers()).toBe(before)
})
