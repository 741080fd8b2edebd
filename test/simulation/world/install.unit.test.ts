import { AsyncLocalStorage } from 'node:async_hooks'
import * as crypto from 'node:crypto'
import * as net from 'node:net'
import { getEventListeners } from 'node:events'
import { createRequire } from 'node:module'
import * as timers from 'node:timers'
import * as timersPromises from 'node:timers/promises'
import * as tls from 'node:tls'
import { promisify, types } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { install } from './install.js'
import { EPOCH_MS } from './process-clock.js'
import { createWorld, type World } from './world.js'

const GLOBALS = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
]
GLOBALS.push('Date', 'FinalizationRegistry')
const MODULES: readonly object[] = [timers, timersPromises, crypto, net, tls]
const OBJECTS: readonly object[] = [
  ...[globalThis.crypto, performance, process, Math, AbortSignal],
  ...[Date.prototype, net.Socket.prototype, createRequire(import.meta.url)('node:timers') as object],
]

/** Whatever a program can look up, so that it can be compared. */
function everything(): readonly unknown[] {
  const owned = OBJECTS.map((object) => Object.getOwnPropertyDescriptors(object))
  const globals = GLOBALS.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  return [...MODULES.map((module) => ({ ...module })), ...owned, ...globals]
}

const before = everything()
let uninstall: () => void
let world: World

beforeAll(() => {
  uninstall = install()
})

afterAll(() => {
  uninstall()
})

beforeEach(() => {
  world = createWorld(1)
})

afterEach(() => {
  world.close()
})

/** Runs a program as a process whose clocks show true time. */
function run<T>(program: () => T | PromiseLike<T>): Promise<T> {
  return world.until(world.host('a', { uptimeMs: 0 }).start(program))
}

describe('installing', () => {
  it('is put back as it was', () => {
    expect(everything()).not.toEqual(before)
    uninstall()
    expect(everything()).toEqual(before)
    uninstall = install()
  })

  it('is done once', () => {
    expect(() => install()).toThrow('installed already')
  })

  it('is seen by modules of either kind', () => {
    const required = createRequire(import.meta.url)('node:timers') as typeof timers
    expect(timers.setTimeout).toBe(setTimeout)
    expect(required.setTimeout).toBe(setTimeout)
    expect(timers.promises.setTimeout).toBe(timersPromises.setTimeout)
  })

  it('leaves time as it is while no world is open', async () => {
    world.close()
    const startedAt = performance.now()
    await timersPromises.setTimeout(5)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(performance.now() - startedAt).toBeGreaterThan(8)
    expect(new Date().getTime()).toBeLessThan(EPOCH_MS)
  })

  it('draws the same while no world is open', () => {
    expect(Math.random()).toBeLessThan(1)
    expect(crypto.randomBytes(4)).toHaveLength(4)
  })
})

describe('a timer', () => {
  it('fires in virtual time', async () => {
    const fired: number[] = []
    await run(async () => {
      setTimeout(() => fired.push(performance.now()), 30)
      timers.setTimeout((more: number) => fired.push(performance.now() + more), 3_600_000, 0.5)
      await new Promise((resolve) => setTimeout(resolve, 20.9))
      fired.push(performance.now())
    })
    await world.idle()
    expect(fired).toEqual([20, 30, 3_600_000.5])
  })

  it.each([0, -1, Number.NaN, 2 ** 31, undefined])('takes %s for the shortest time', async (delay) => {
    const ms = await run(async () => {
      await new Promise((resolve) => setTimeout(resolve, delay))
      return performance.now()
    })
    expect(ms).toBe(1)
  })

  it('repeats until it is cleared', async () => {
    const fired: number[] = []
    await run(() => {
      const timer = setInterval(() => {
        if (fired.push(performance.now()) === 3) clearInterval(timer)
      }, 10)
    })
    await world.idle()
    expect(fired).toEqual([10, 20, 30])
  })

  it('can be cleared by its handle, by its number, and by its end of scope', async () => {
    const fired = await run(async () => {
      const names: string[] = []
      clearTimeout(setTimeout(() => names.push('handle'), 10))
      clearTimeout(Number(setTimeout(() => names.push('number'), 10)))
      clearTimeout(String(Number(setTimeout(() => names.push('text'), 10))))
      clearTimeout(undefined)
      {
        using _timer = setTimeout(() => names.push('scope'), 10)
      }
      setTimeout(() => names.push('closed'), 10).close()
      await timersPromises.setTimeout(20)
      return names
    })
    expect(fired).toEqual([])
  })

  it('can be started anew', async () => {
    const fired: number[] = []
    await run(async () => {
      const timer = setTimeout(() => fired.push(performance.now()), 10)
      await timersPromises.setTimeout(5)
      timer.refresh()
      await timersPromises.setTimeout(95)
      timer.refresh()
    })
    await world.idle()
    expect(fired).toEqual([15, 110])
  })

  it('keeps no process alive after unref()', async () => {
    const timer = await run(() => setInterval(() => undefined, 10).unref())
    expect(timer.hasRef()).toBe(false)
    await world.idle()
    expect(world.clock.now).toBe(0)
    expect(timer.ref().hasRef()).toBe(true)
    expect(world.clock.isIdle).toBe(false)
  })

  it('takes only functions', async () => {
    await run(() => {
      const code = 'ERR_INVALID_ARG_TYPE'
      expect(() => setTimeout('text' as unknown as () => void, 1)).toThrow(expect.objectContaining({ code }))
    })
  })

  it('keeps AsyncLocalStorage, as immediates do', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const note = (what: string) => seen.push(`${what}: ${storage.getStore()}`)
    await run(async () => {
      storage.run('outer', () => {
        setTimeout(note, 10, 'timeout')
        setImmediate(note, 'immediate')
        const timer = setInterval(() => {
          note('interval')
          storage.run('inner', () => setTimeout(note, 1, 'timeout in interval'))
          clearInterval(timer)
        }, 20)
      })
      await storage.run('flow', async () => {
        await timersPromises.setTimeout(30)
        note('promise')
      })
      note('after')
    })
    expect(seen).toEqual([
      'immediate: outer',
      'timeout: outer',
      'interval: outer',
      'timeout in interval: inner',
      'promise: flow',
      'after: undefined',
    ])
  })
})

describe('an immediate', () => {
  it('runs before time goes on, and can be cleared', async () => {
    const ran = await run(async () => {
      const names: string[] = []
      setImmediate((name: string) => names.push(name), 'immediate')
      clearImmediate(setImmediate(() => names.push('cleared')))
      {
        using _immediate = setImmediate(() => names.push('scope'))
      }
      process.nextTick(() => names.push('tick'))
      await Promise.resolve()
      names.push('microtask')
      await timersPromises.setImmediate()
      return [...names, performance.now()]
    })
    expect(ran).toEqual(['tick', 'microtask', 'immediate', 0])
  })
})

describe('promises of timers', () => {
  it('resolve with their values', async () => {
    const values = await run(async () => {
      const values: unknown[] = [
        await timersPromises.setTimeout(10, 'timeout'),
        await timersPromises.setImmediate('immediate'),
        await promisify(setTimeout)(10, 'promisified'),
      ]
      await timersPromises.scheduler.wait(10)
      await timersPromises.scheduler.yield()
      return [...values, performance.now()]
    })
    expect(values).toEqual(['timeout', 'immediate', 'promisified', 30])
  })

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['setTimeout', (signal) => timersPromises.setTimeout(10, undefined, { signal })],
    ['setImmediate', (signal) => timersPromises.setImmediate(undefined, { signal })],
    ['scheduler.wait', (signal) => timersPromises.scheduler.wait(10, { signal })],
    [
      'setInterval',
      (signal) => timersPromises.setInterval(10, undefined, { signal })[Symbol.asyncIterator]().next(),
    ],
  ])('reject when their signal aborts, before and meanwhile: %s', async (_name, wait) => {
    const aborted = { name: 'AbortError', code: 'ABORT_ERR', cause: 'enough' }
    await run(async () => {
      await expect(wait(AbortSignal.abort('enough'))).rejects.toMatchObject(aborted)
      const controller = new AbortController()
      process.nextTick(() => controller.abort('enough'))
      await expect(wait(controller.signal)).rejects.toMatchObject(aborted)
    })
    await world.idle()
    expect(world.clock.now).toBe(0)
  })

  it('do not mind a signal that aborts later', async () => {
    await run(async () => {
      const controller = new AbortController()
      await timersPromises.setTimeout(10, undefined, { signal: controller.signal })
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
      controller.abort()
    })
  })

  it('repeat, and none of them is left out', async () => {
    const ticks = await run(async () => {
      const all: unknown[] = []
      for await (const value of timersPromises.setInterval(10, 'tick')) {
        all.push(`${value} ${performance.now()}`)
        if (all.length === 1) await timersPromises.setTimeout(25)
        if (all.length === 4) break
      }
      return all
    })
    expect(ticks).toEqual(['tick 10', 'tick 35', 'tick 35', 'tick 40'])
    expect(world.clock.isIdle).toBe(true)
  })

  it('keep no process alive with `ref: false`', async () => {
    await run(() => {
      void timersPromises.setTimeout(10, undefined, { ref: false })
    })
    expect(world.clock.isIdle).toBe(true)
  })
})

describe('clocks', () => {
  it('show virtual time', async () => {
    await world.run(1_500)
    const { hrtime } = process
    const seen = await run(async () => {
      const start = hrtime()
      await timersPromises.setTimeout(2_000)
      return {
        now: performance.now(),
        date: [Date.now(), new Date().getTime(), +new Date(Date()), new Date(5).getTime()],
        elapsed: hrtime(start),
        hrtime: hrtime.bigint(),
        uptime: process.uptime(),
        origin: performance.timeOrigin,
      }
    })
    const wall = EPOCH_MS + 3_500
    expect(seen).toEqual({
      now: 2_000,
      date: [wall, wall, wall - 500, 5],
      elapsed: [2, 0],
      hrtime: 2_000_000_000n,
      uptime: 2,
      origin: EPOCH_MS + 1_500,
    })
  })

  it('make dates like any other', async () => {
    await run(() => {
      class Moment extends Date {}
      const dates = [new Date(), new Moment(), new Date(0)]
      for (const date of dates) {
        expect(date).toBeInstanceOf(Date)
        expect(types.isDate(date)).toBe(true)
        expect(date.toISOString()).toMatch(/^(2030|1970)-01-01T00:00:00\.000Z$/)
      }
      expect(dates[0]?.constructor).toBe(Date)
      expect(dates[1]).toBeInstanceOf(Moment)
      expect(Date.UTC(1970, 0, 1)).toBe(0)
    })
  })

  it('abort signals', async () => {
    const reason = await run(async () => {
      const signal = AbortSignal.timeout(10)
      await timersPromises.setTimeout(9)
      expect(signal.aborted).toBe(false)
      await timersPromises.setTimeout(2)
      return signal.reason as unknown
    })
    expect(reason).toBeInstanceOf(DOMException)
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('chance', () => {
  const draw = async (): Promise<unknown[]> => [
    Math.random(),
    crypto.randomBytes(8).toString('hex'),
    await promisify(crypto.randomBytes)(8),
    crypto.randomUUID(),
    globalThis.crypto.randomUUID(),
    crypto.randomInt(10, 1_000),
    crypto.randomInt(1_000),
    await promisify<number, number, number>(crypto.randomInt)(5, 1_000),
    [...crypto.getRandomValues(new Uint32Array(4))],
    [...globalThis.crypto.getRandomValues(new Uint8Array(8))],
    [...crypto.webcrypto.getRandomValues(new Uint8Array(8))],
    [...crypto.randomFillSync(new Uint8Array(8), 2, 4)],
  ]

  const drawWith = async (seed: number): Promise<readonly unknown[]> => {
    using own = createWorld(seed)
    return await own.until(own.host('a').start(draw))
  }

  it('follows from the seed', async () => {
    world.close()
    const drawn = await drawWith(1)
    expect(await drawWith(1)).toEqual(drawn)
    const other = await drawWith(2)
    for (const [index, value] of drawn.entries()) expect(other[index]).not.toEqual(value)
  })

  it('is of the process that draws', async () => {
    world.close()
    const firstOfA = async (bytesOfB: number): Promise<number> => {
      using own = createWorld(1)
      const [a, b] = [own.host('a'), own.host('b')]
      await own.until(b.start(() => crypto.randomBytes(bytesOfB)))
      return await own.until(a.start(() => Math.random()))
    }
    expect(await firstOfA(3)).toBe(await firstOfA(100))
  })

  it('makes UUIDs of version 4, and fills ranges of bytes', async () => {
    await run(() => {
      expect(crypto.randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      const filled = [...crypto.randomFillSync(new Uint8Array(64), 16, 32)]
      expect(filled.slice(0, 16).concat(filled.slice(48))).toEqual(Array(32).fill(0))
      expect(filled.slice(16, 48).some((value) => value > 0)).toBe(true)
    })
  })
})

describe('what is not simulated', () => {
  it('is refused', async () => {
    await run(() => {
      expect(() => tls.connect({ host: '10.0.0.1', port: 1 })).toThrow('tls.connect() is not simulated')
      expect(() => new net.Socket().connect(1)).toThrow('net.Socket.connect() is not simulated')
      expect(() => net.createConnection('/tmp/socket')).toThrow('no sockets with a path')
    })
  })

  it('is memory that is collected', async () => {
    await run(() => {
      const registry = new FinalizationRegistry(() => undefined)
      const token = {}
      registry.register({}, 'held', token)
      expect(registry.unregister(token)).toBe(false)
    })
  })
})
