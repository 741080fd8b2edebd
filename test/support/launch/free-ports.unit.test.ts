import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePorts, onFreePorts, PortTakenError } from './free-ports.js'

describe('free ports', () => {
  it('are different, can be had, and leave room for the bus of a cluster', async () => {
    const ports = await freePorts(20)
    expect(new Set(ports).size).toBe(20)
    expect(Math.max(...ports) + 10_000).toBeLessThan(65_536)
    await Promise.all(ports.map(listenOnce))
  })

  it('are chosen again when another process was quicker', async () => {
    const tried: (readonly number[])[] = []
    const started = await onFreePorts(2, (ports) => {
      tried.push(ports)
      return tried.length < 3 ? Promise.reject(new PortTakenError(ports[0] ?? 0)) : Promise.resolve('started')
    })
    expect(started).toBe('started')
    expect(tried).toHaveLength(3)
  })

  it('are not chosen for ever', async () => {
    const starting = onFreePorts(1, ([port = 0]) => Promise.reject(new PortTakenError(port)))
    await expect(starting).rejects.toThrow(/^Port \d+ is taken$/)
  })

  it('are not chosen again for another failure', async () => {
    let attempts = 0
    const starting = onFreePorts(1, () => Promise.reject(new Error(`attempt ${(attempts += 1)}`)))
    await expect(starting).rejects.toThrow('attempt 1')
  })
})

async function listenOnce(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  server.close()
}
