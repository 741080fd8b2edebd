import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Listeners } from '../../../src/util/listeners.js'
import { collectGarbage } from '../../support/collect-garbage.js'

const count = (source: EventEmitter) =>
  source.eventNames().reduce((sum, name) => sum + source.listenerCount(name), 0)

describe('listeners', () => {
  it('are taken off together', () => {
    const source = new EventEmitter()
    const listeners = new Listeners()
    let undone = 0
    listeners.on(source, 'a', () => undefined)
    listeners.until(source, 'end').on(source, 'b', () => undefined)
    listeners.add(() => (undone += 1))
    listeners[Symbol.dispose]()
    listeners[Symbol.dispose]()
    expect([count(source), undone]).toEqual([0, 1])
  })

  it('on what has ended are taken off by that event, which all of them still hear', () => {
    const source = new EventEmitter()
    const heard: string[] = []
    const listeners = new Listeners()
    listeners.on(source, 'end', () => heard.push('outer'))
    const own = listeners.until(source, 'end')
    own.on(source, 'end', () => heard.push('own'))
    source.emit('end')
    source.emit('end')
    expect(heard).toEqual(['outer', 'own', 'outer'])
    expect(count(source)).toBe(1)
  })

  it('keep nothing of what has ended', async () => {
    const listeners = new Listeners()
    const ended = Array.from({ length: 100 }, () => {
      const source = new EventEmitter()
      listeners.until(source, 'end').on(source, 'data', () => source.eventNames())
      source.emit('end')
      return new WeakRef(source)
    })
    await new Promise(setImmediate) // a WeakRef keeps its object until the turn is over
    collectGarbage()
    expect(ended.filter((each) => each.deref() !== undefined)).toEqual([])
    expect(listeners).toBeInstanceOf(Listeners) // which is still there, and would keep them
  })
})
