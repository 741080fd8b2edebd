import { EventEmitter, once } from 'node:events'
import { Agent, createServer, get, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isRedissonError, type RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { LockFixture } from '../lock-fixture.js'

const REQUESTS = 50

/**
 * Handles requests as people write it who have not read the guide: `unlock()` comes in a `finally` even where `tryLock()`
 * returned false. The one that gets the lock keeps it until all others have been refused.
 */
class CarelessHandler {
  readonly #lock: RLock
  readonly #resource = new LimitedResource()
  readonly #allRefused = Promise.withResolvers<void>()
  /** How many had no lock, so that `unlock()` rejected. */
  refused = 0
  served = 0

  constructor(lock: RLock) {
    this.#lock = lock
  }

  async handle(): Promise<'served' | 'refused'> {
    try {
      if (!(await this.#lock.tryLock())) return 'refused'
      await this.#resource.use(() => this.#allRefused.promise)
      this.served += 1
      return 'served'
    } finally {
      await this.#unlock()
    }
  }

  async #unlock(): Promise<void> {
    try {
      await this.#lock.unlock()
    } catch (error) {
      if (!isRedissonError(error, 'NOT_HELD')) throw error
      this.refused += 1
      if (this.refused >= REQUESTS - 1) this.#allRefused.resolve()
    }
  }
}

export function requests(bench: LockFixture): void {
  describe(`${String(REQUESTS)} requests at once, each with a careless unlock()`, () => {
    noLeaks(bench.topology)

    const expectOneServed = async (handler: CarelessHandler): Promise<void> => {
      expect([handler.served, handler.refused]).toEqual([1, REQUESTS - 1])
      expect(await bench.theirs.isLocked()).toBe(false)
    }

    it.each([
      ['that all ask at once', 0],
      ['that have all awaited something before', 1],
    ])('take nothing from the one that holds it, in one Promise.all %s', async (_, turns) => {
      const handler = new CarelessHandler(bench.lock)
      const request = async () => {
        for (let turn = 0; turn < turns; turn += 1) await nextTurn()
        await handler.handle()
      }
      await Promise.all(Array.from({ length: REQUESTS }, request))
      await expectOneServed(handler)
    })

    it('take nothing from the one that holds it, as listeners of one event', async () => {
      const handler = new CarelessHandler(bench.lock)
      const emitter = new EventEmitter().setMaxListeners(REQUESTS)
      const handled: Promise<unknown>[] = []
      for (let request = 0; request < REQUESTS; request += 1) {
        emitter.on('request', () => handled.push(handler.handle()))
      }
      emitter.emit('request')
      await Promise.all(handled)
      await expectOneServed(handler)
    })

    it('take nothing from the one that holds it, as ticks of one interval', async () => {
      const handler = new CarelessHandler(bench.lock)
      await elsewhere(async () => {
        const handled: Promise<unknown>[] = []
        const { promise: allStarted, resolve } = Promise.withResolvers<void>()
        const interval = setInterval(() => {
          handled.push(handler.handle())
          if (handled.length === REQUESTS) resolve()
        }, 1)
        await allStarted
        clearInterval(interval)
        await Promise.all(handled)
      })
      await expectOneServed(handler)
    })

    it('take nothing from the one that holds it, as messages on one socket', async () => {
      const handler = new CarelessHandler(bench.lock)
      await elsewhere(async () => {
        const handled: Promise<unknown>[] = []
        const server = createTcpServer((socket) => {
          socket.on('data', () => {
            handled.push(handler.handle())
            socket.write('next')
          })
        })
        await listening(server)
        const client = connect((server.address() as AddressInfo).port)
        for (let request = 0; request < REQUESTS; request += 1) {
          client.write('request')
          await once(client, 'data')
        }
        await Promise.all(handled)
        client.destroy()
        server.close()
      })
      await expectOneServed(handler)
    })

    it.each([
      ['a connection each', Infinity],
      ['few connections that serve many', 5],
    ])('take nothing from the one that holds it, over HTTP by %s', async (_, maxSockets) => {
      const handler = new CarelessHandler(bench.lock)
      await elsewhere(async () => {
        const server = createServer((__, response) => {
          handler.handle().then(
            (outcome) => response.writeHead(outcome === 'served' ? 200 : 409).end(),
            (error: unknown) => response.writeHead(500).end(String(error)),
          )
        })
        await listening(server)
        const agent = new Agent({ keepAlive: true, maxSockets })
        const { port } = server.address() as AddressInfo
        const statuses = await Promise.all(Array.from({ length: REQUESTS }, () => statusOf(port, agent)))
        expect(statuses.toSorted()).toEqual([200, ...Array<number>(REQUESTS - 1).fill(409)])
        agent.destroy()
        server.close()
      })
      await expectOneServed(handler)
    })
  })

  describe(`${String(REQUESTS)} HTTP requests at once`, () => {
    noLeaks(bench.topology)

    it('are served one at a time by lock() and unlock() on one shared object', async () => {
      const resource = new LimitedResource()
      const serve = async () => {
        await bench.lock.lock()
        try {
          await resource.use(() => bench.lock.isHeldByCurrentThread())
        } finally {
          await bench.lock.unlock()
        }
      }
      const server = createServer((_, response) => {
        serve().then(
          () => response.writeHead(200).end(),
          (error: unknown) => response.writeHead(500).end(String(error)),
        )
      })
      await listening(server)
      const agent = new Agent({ keepAlive: true })
      const { port } = server.address() as AddressInfo
      const statuses = await Promise.all(Array.from({ length: REQUESTS }, () => statusOf(port, agent)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(resource.entries).toBe(REQUESTS)
      agent.destroy()
      server.close()
    })
  })
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function statusOf(port: number, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    }).on('error', reject)
  })
}
