import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePorts, onFreePorts, PortTakenError } from './free-ports.js'

describe('free ports', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('are different, can be had, and leave room for the bus of a cluster', async () => {
    const ports = await freePorts(20)
    expect(new Set(ports).size).toBe(20)
    expect(Math.max(...ports) + 10_000).toBeLessThan(65_536)
    await Promise.all(ports.map(listenOnce))
  })

  it('are not given to another process while nobody listens there', async () => {
    searchBeginsAt(0.5)
    const [port] = await (await asAnotherProcess()).freePorts(1)
    const others = await (await asAnotherProcess()).freePorts(1)
    expect(others).not.toContain(port)
  })

  it('are not given twice in one process while nobody listens there', async () => {
    searchBeginsAt(0.5)
    const [port] = await freePorts(1)
    expect(await freePorts(1)).not.toContain(port)
  })

  it.each([0, 0.999_999])('are no bus ports, and none that systems give out (%s)', async (share) => {
    searchBeginsAt(share)
    const [port = 0] = await (await asAnotherProcess()).freePorts(1)
    expect(port).toBeGreaterThanOrEqual(10_240)
    expect(port).toBeLessThan(10_240 + 10_000)
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

function searchBeginsAt(share: number): void {
  vi.spyOn(Math, 'random').mockReturnValue(share)
}

/** Knows nothing of the ports that were given out before, as another process. */
function asAnotherProcess(): Promise<typeof import('./free-ports.js')> {
  vi.resetModules()
  return import('./free-ports.js')
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  server.close()
}
