import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Chance } from './chance.js'
import { Clock, type ClockOptions, type EventKind } from './clock.js'
import { EventLoop } from './event-loop.js'
import { ProcessClock } from './process-clock.js'

/** A clock, and what has run on it. */
function setUp(options: ClockOptions = {}) {
  const clock = new Clock(options)
  const ran: string[] = []
  const at = (time: number, what: string, more: () => void = () => undefined, kind: EventKind = 'timer') => {
    const run = () => {
      ran.push(what)
      more()
    }
    return clock.schedule({ at: time, loop: clock.outside, kind, what, run })
  }
  return { clock, ran, at }
}

describe('the clock', () => {
  it('runs events by time, and those of the same time in the order of their creation', async () => {
    const { clock, ran, at } = setUp()
    at(20, 'c')
    at(10, 'a')
    at(20, 'd', undefined, 'message')
    at(10, 'b')
    await clock.run()
    expect(ran).toEqual(['a', 'b', 'c', 'd'])
    expect(clock.now).toBe(20)
  })

  it('runs immediates after all timers and messages of their time, and sockets close after those', async () => {
    const { clock, ran, at } = setUp()
    at(10, 'timer', () => {
      at(10, 'close', undefined, 'close')
      at(10, 'immediate', () => at(10, 'another immediate', undefined, 'immediate'), 'immediate')
    })
    at(10, 'message', undefined, 'message')
    at(10.001, 'later')
    await clock.run()
    expect(ran).toEqual(['timer', 'message', 'immediate', 'another immediate', 'close', 'later'])
  })

  it('runs all ticks and microtasks of an event before the next one, in the order of Node', async () => {
    const { clock, ran, at } = setUp()
    const chain = async (): Promise<void> => {
      for (const step of [1, 2, 3]) {
        await Promise.resolve()
        process.nextTick(() => ran.push(`tick of ${step}`))
      }
    }
    at(10, 'first', () => {
      void chain()
      queueMicrotask(() => ran.push('microtask'))
      process.nextTick(() => ran.push('tick'))
    })
    at(10, 'second')
    await clock.run()
    expect(ran).toEqual(['first', 'tick', 'microtask', 'tick of 1', 'tick of 2', 'tick of 3', 'second'])
  })

  it('runs to a time and stops there', async () => {
    const { clock, ran, at } = setUp()
    at(10, 'a')
    at(30, 'b')
    await clock.run({ until: 20 })
    expect([ran, clock.now]).toEqual([['a'], 20])
    at(5, 'overdue')
    await clock.run({ until: 30 })
    expect([ran, clock.now]).toEqual([['a', 'overdue', 'b'], 30])
  })

  it('stops when a condition is true', async () => {
    const { clock, ran, at } = setUp()
    for (const time of [1, 2, 3]) at(time, String(time))
    await clock.run({ isOver: () => ran.length === 2 })
    expect([ran, clock.now]).toEqual([['1', '2'], 2])
  })

  it('does not run what was cancelled', async () => {
    const { clock, ran, at } = setUp()
    const first = at(10, 'a')
    const second = at(20, 'b', () => clock.cancel(second))
    clock.cancel(first)
    await clock.run()
    expect(ran).toEqual(['b'])
  })

  it('is idle when only events are left that keep no process alive', () => {
    const { clock, at } = setUp()
    const event = at(10, 'a')
    expect(clock.isIdle).toBe(false)
    clock.setRef(event, false)
    expect(clock.isIdle).toBe(true)
    clock.setRef(event, true)
    clock.cancel(event)
    expect(clock.isIdle).toBe(true)
  })

  it('runs events in the asynchronous context of their resource, and others outside of any', async () => {
    const { clock, ran } = setUp()
    const storage = new AsyncLocalStorage<string>()
    const resource = storage.run('the flow', () => new AsyncResource('TEST'))
    const plan = { at: 1, loop: clock.outside, kind: 'timer', what: '', run: () => note() } as const
    const note = async () => {
      await Promise.resolve()
      ran.push(String(storage.getStore()))
    }
    clock.schedule({ ...plan, resource })
    clock.schedule(plan)
    await storage.run('the run', () => clock.run())
    expect(ran).toEqual(['the flow', 'undefined'])
  })

  it('passes on what an event throws, and can go on', async () => {
    const { clock, ran, at } = setUp()
    at(10, 'a', () => {
      throw new Error('of the event')
    })
    at(20, 'b')
    await expect(clock.run()).rejects.toThrow('of the event')
    await clock.run()
    expect(ran).toEqual(['a', 'b'])
  })

  it('refuses to run twice at the same time', async () => {
    const { clock, at } = setUp()
    at(1, 'a')
    const running = clock.run()
    expect(() => clock.run()).toThrow('runs already')
    await running
  })

  it('refuses to go on when time stands still, and says what ran last', async () => {
    const { clock, at } = setUp({ maxEventsAtOnce: 100 })
    const again = (): void => void at(10, 'restless', again, 'immediate')
    again()
    await expect(clock.run()).rejects.toThrow(/^101 events have run while time stood still.*\n.*restless/)
  })

  it('refuses to go on after too many events', async () => {
    const { clock, at } = setUp({ maxEvents: 100 })
    const again = (): void => void at(clock.now + 1, 'endless', again)
    again()
    await expect(clock.run()).rejects.toThrow(
      /^101 events have run\..*(\n.*endless){11}\n101\.000 world: timer endless$/,
    )
  })
})

describe('an event loop', () => {
  const loopNamed = (name: string) => new EventLoop(name, new ProcessClock(0), new Chance(name))

  it('runs overdue timers first after a pause, and then messages, and then immediates', async () => {
    const { clock, ran } = setUp()
    const [paused, other] = [loopNamed('paused'), loopNamed('other')]
    const at = (time: number, kind: EventKind, loop: EventLoop) => {
      const what = `${loop.name} ${kind} ${time}`
      clock.schedule({ at: time, loop, kind, what, run: () => ran.push(`${what} at ${clock.now}`) })
    }
    for (const loop of [paused, other]) {
      at(10, 'message', loop)
      at(15, 'immediate', loop)
      at(30, 'timer', loop)
      at(20, 'timer', loop)
      at(90, 'timer', loop)
    }
    clock.pause(paused, 50)
    clock.pause(paused, 40)
    await clock.run()
    expect(ran.filter((each) => each.startsWith('other'))).toEqual([
      'other message 10 at 10',
      'other immediate 15 at 15',
      'other timer 20 at 20',
      'other timer 30 at 30',
      'other timer 90 at 90',
    ])
    expect(ran.filter((each) => each.startsWith('paused'))).toEqual([
      'paused timer 20 at 50',
      'paused timer 30 at 50',
      'paused message 10 at 50',
      'paused immediate 15 at 50',
      'paused timer 90 at 90',
    ])
  })

  it('does not run what is cancelled while it stands still', async () => {
    const { clock, ran } = setUp()
    const loop = loopNamed('paused')
    const run = () => ran.push('overdue')
    const event = clock.schedule({ at: 10, loop, kind: 'timer', what: '', run })
    clock.pause(loop, 50)
    await clock.run({ until: 20 })
    clock.cancel(event)
    await clock.run()
    expect(ran).toEqual([])
  })

  it('is the current one in everything that follows from its events at once', async () => {
    const { clock, ran } = setUp()
    const loop = loopNamed('a')
    const note = async () => {
      for (let step = 0; step < 3; step += 1) await Promise.resolve()
      ran.push(clock.current.name)
    }
    clock.schedule({ at: 10, loop, kind: 'timer', what: '', run: () => void note() })
    await clock.run()
    expect([...ran, clock.current.name]).toEqual(['a', 'world'])
  })

  it('runs nothing any more once it has ended', async () => {
    const { clock, ran } = setUp()
    const loop = loopNamed('a')
    const schedule = (at: number) =>
      clock.schedule({ at, loop, kind: 'timer', what: '', run: () => ran.push(String(at)) })
    schedule(10)
    schedule(20)
    await clock.run({ until: 15 })
    clock.end(loop)
    schedule(30)
    expect(clock.isIdle).toBe(true)
    await clock.run()
    expect(ran).toEqual(['10'])
  })
})

describe('real work', () => {
  it.each<[string, () => unknown]>([
    ['Timeout', () => setTimeout(() => undefined, 1)],
    ['Immediate', () => setImmediate(() => undefined)],
    ['FSREQ(PROMISE|CALLBACK)', () => readFile(import.meta.filename).catch(() => undefined)], // Node 24, Node 26
  ])('is refused, and its place is named: %s', async (type, work) => {
    const { clock, at } = setUp()
    at(10, 'a', work)
    await expect(clock.run()).rejects.toThrow(new RegExp(`real work \\(${type}\\)(.|\\n)*clock.unit.test.ts`))
  })

  it('is found in what follows from an event', async () => {
    const { clock, at } = setUp()
    const work = async (): Promise<void> => {
      await Promise.resolve()
      setTimeout(() => undefined, 1)
    }
    at(10, 'a', () => void work())
    await expect(clock.run()).rejects.toThrow('real work (Timeout)')
  })

  it('may be allowed', async () => {
    const { clock, at } = setUp({ realWork: 'allow' })
    at(10, 'a', () => setImmediate(() => undefined))
    await clock.run()
  })

  it('is none that is done at once', async () => {
    const { clock, ran, at } = setUp()
    at(10, 'a', () => {
      gzipSync('text')
    })
    await clock.run()
    expect(ran).toEqual(['a'])
  })
})
