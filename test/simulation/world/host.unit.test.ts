import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { install } from './install.js'
import { EPOCH_MS } from './process-clock.js'
import { createWorld, type World } from './world.js'

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

describe('the clocks of a process', () => {
  it('differ from those of another, and show how long it has been up', async () => {
    const [a, b] = [world.host('a'), world.host('b')]
    const elapsed = async (): Promise<number> => {
      const startedAt = performance.now()
      await sleep(1_000)
      return performance.now() - startedAt
    }
    const [first, second] = await world.until(Promise.all([a.start(elapsed), b.start(elapsed)]))
    expect(a.monotonicMs).not.toBe(b.monotonicMs)
    for (const ms of [first, second]) {
      expect(ms).toBeGreaterThan(999)
      expect(ms).toBeLessThanOrEqual(1_000)
    }
  })

  it('are set ahead or back by its skew, and only its wall clock is', async () => {
    const a = world.host('a', { skewMs: -2_500, uptimeMs: 0 })
    const seen = await world.until(a.start(() => [Date.now(), performance.now()]))
    expect(seen).toEqual([EPOCH_MS - 2_500, 0])
  })

  it('go faster or slower by its drift, and so do its timers', async () => {
    const [fast, slow] = [
      world.host('fast', { drift: 1.25, uptimeMs: 0 }),
      world.host('slow', { drift: 0.8, uptimeMs: 0 }),
    ]
    const program = async (): Promise<unknown[]> => {
      await sleep(1_000)
      return [world.clock.now, performance.now(), Date.now()]
    }
    const both = Promise.all([fast.start(program), slow.start(program)])
    expect(await world.until(both)).toEqual([
      [800, 1_000, EPOCH_MS + 1_000],
      [1_250, 1_000, EPOCH_MS + 1_000],
    ])
  })

  it('are never behind a timer that has fired, whatever is rounded', async () => {
    for (const drift of [1 / 3, 0.7, 1 + 1e-4, 1 - 1e-4, Math.PI]) {
      const host = world.host(`host ${drift}`, { drift, uptimeMs: 1 / 7 })
      const late = host.start(async () => {
        for (let turn = 0; turn < 100; turn += 1) {
          const dueAt = Math.floor(performance.now()) + 7
          await sleep(7)
          if (performance.now() < dueAt) throw new Error(`${performance.now()} is before ${dueAt}`)
        }
      })
      await world.until(late)
    }
  })

  it('can be set while it runs', async () => {
    const a = world.host('a', { uptimeMs: 0 })
    const seen = a.start(async () => {
      const before = Date.now()
      await sleep(100)
      return [Date.now() - before, performance.now()]
    })
    await world.run(50)
    a.stepClock(-1_000)
    expect(await world.until(seen)).toEqual([-900, 100])
  })

  it('refuse to stand still', () => {
    expect(() => world.host('a', { drift: 0 })).toThrow(RangeError)
  })
})

describe('a process that stands still', () => {
  it('jumps to the time when it goes on', async () => {
    const a = world.host('a', { uptimeMs: 0 })
    const seen = a.start(async () => {
      const times: number[] = []
      const timer = setInterval(() => times.push(performance.now()), 10)
      await sleep(80)
      clearInterval(timer)
      return times
    })
    await world.run(25)
    a.pause(30)
    expect(await world.until(seen)).toEqual([10, 20, 55, 65, 75])
  })
})

describe('a process', () => {
  it('settles with its program, as an event of the one that has started it', async () => {
    const [a, b] = [world.host('a'), world.host('b')]
    const names = a.start(async () => {
      const inside = await b.start(() => world.clock.current.name)
      const failure = await b.start(() => Promise.reject(new Error('of b'))).catch(String)
      const thrown = await b
        .start(() => {
          throw new Error('thrown by b')
        })
        .catch(String)
      return [inside, failure, thrown, world.clock.current.name]
    })
    expect(await world.until(names)).toEqual(['b', 'Error: of b', 'Error: thrown by b', 'a'])
  })

  it('runs nothing any more once it is stopped, not even what it begins then', async () => {
    const a = world.host('a')
    const ran: string[] = []
    const program = a.start(async () => {
      setTimeout(() => ran.push('timer'), 20)
      await sleep(10)
      ran.push('before')
      a.stop()
      setTimeout(() => ran.push('after'), 1)
      await sleep(1)
      ran.push('never')
    })
    await world.idle()
    await expect(world.until(program, 1_000)).rejects.toThrow('has not settled by')
    expect(ran).toEqual(['before'])
    expect(a.isRunning).toBe(false)
  })

  it('can be started again as a new one', async () => {
    const first = world.host('a')
    expect(() => world.host('a')).toThrow('There is a process a already')
    first.stop()
    first.stop()
    const second = world.host('a')
    expect(world.hosts).toEqual([second])
    expect(await world.until(second.start(() => 'runs'))).toBe('runs')
  })
})

describe('a world', () => {
  it('is the only one that is open', () => {
    expect(() => createWorld(2)).toThrow('Another world is still open')
  })

  it('notes what programs say', async () => {
    const a = world.host('a')
    await world.until(a.start(() => world.note('it has begun')))
    expect(world.trace.lines.map((line) => line.trim())).toEqual([
      '0.000 a            start',
      '0.000 a            note     it has begun',
    ])
  })

  it('passes on what a timer throws', async () => {
    const a = world.host('a')
    await world.until(
      a.start(() => {
        setTimeout(() => {
          throw new Error('of the timer')
        }, 10)
      }),
    )
    await expect(world.idle()).rejects.toThrow('of the timer')
  })

  it('runs code of its own in virtual time, outside of every process', async () => {
    const elapsed = async (): Promise<unknown[]> => {
      await sleep(100)
      return [performance.now(), Date.now(), world.clock.current.name]
    }
    expect(await world.until(elapsed())).toEqual([100, EPOCH_MS + 100, 'world'])
  })
})
