import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Emitter } from '../../../src/util/emitter.js'

interface Events {
  readonly opened: { readonly door: string }
  readonly closed: { readonly door: string }
}

describe('an emitter', () => {
  it('tells every listener of an event what it tells, in their order', () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    emitter.on('opened', ({ door }) => heard.push(`first ${door}`))
    emitter.on('opened', ({ door }) => heard.push(`second ${door}`))
    emitter.on('closed', ({ door }) => heard.push(`closed ${door}`))
    emitter.emit('opened', { door: 'a' })
    expect(heard).toEqual(['first a', 'second a'])
  })

  it('tells nothing to a listener that has left', () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    const listen = ({ door }: Events['opened']) => void heard.push(door)
    emitter.on('opened', listen)
    emitter.off('opened', listen)
    emitter.emit('opened', { door: 'a' })
    expect(heard).toEqual([])
  })

  it('calls no listener when all have been removed', () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    emitter.on('opened', ({ door }) => heard.push(door))
    emitter.removeAll()
    emitter.emit('opened', { door: 'a' })
    expect(heard).toEqual([])
  })

  it('lets no listener silence another; what it throws surfaces as an uncaught exception', async () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    const uncaught = nextUncaught()
    emitter.on('opened', () => {
      throw new Error('planted')
    })
    emitter.on('opened', ({ door }) => heard.push(door))
    emitter.emit('opened', { door: 'a' })
    expect(heard).toEqual(['a'])
    expect(await uncaught).toMatchObject({ message: 'planted' })
  })

  it('calls the listeners of its start, with any added or removed meanwhile', () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    const second = () => void heard.push('second')
    emitter.on('opened', () => {
      heard.push('first')
      emitter.off('opened', second)
      emitter.on('opened', () => heard.push('third'))
    })
    emitter.on('opened', second)
    emitter.emit('opened', { door: 'a' })
    expect(heard).toEqual(['first', 'second'])
  })

  it('calls its listeners outside the flow of the emitter', () => {
    const flow = new AsyncLocalStorage<string>()
    const emitter = new Emitter<Events>()
    const seen: unknown[] = []
    flow.run('listener', () => {
      emitter.on('opened', () => seen.push(flow.getStore()))
    })
    flow.run('emitter', () => {
      emitter.emit('opened', { door: 'a' })
      expect(flow.getStore()).toBe('emitter')
    })
    expect(seen).toEqual([undefined])
  })

  it('makes every call of a listener a flow of its own', () => {
    const flow = new AsyncLocalStorage<string>()
    const emitter = new Emitter<Events>()
    const seen: unknown[] = []
    emitter.on('opened', ({ door }) => {
      seen.push(flow.getStore())
      flow.enterWith(door)
    })
    emitter.emit('opened', { door: 'a' })
    emitter.emit('opened', { door: 'b' })
    expect(seen).toEqual([undefined, undefined])
  })
})

/** The next uncaught exception, which is kept from the tests' own listeners. */
function nextUncaught(): Promise<unknown> {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  onTestFinished(() => {
    for (const listener of others) process.on('uncaughtException', listener)
  })
  return new Promise((resolve) => process.once('uncaughtException', resolve))
}
