import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { FlowContext, type FlowValue } from '../../../src/ownership/flow-context.js'
import { collectGarbage } from '../../support/collect-garbage.js'

interface Value extends FlowValue {
  readonly name: string
  isOver: boolean
}

const value = (name: string): Value => ({ name, isOver: false })

const freshContext = () => new FlowContext<Value>()

describe('a value that a flow enters', () => {
  it('is there from then on, in all that the flow awaits and starts', async () => {
    const context = freshContext()
    const flow = async () => {
      await nextTurn()
      context.enter(value('a'))
      const started = Promise.resolve().then(() => context.value?.name)
      await nextTurn()
      return [context.value?.name, await started]
    }
    expect(await flow()).toEqual(['a', 'a'])
  })

  it('is there for a caller that awaits it', async () => {
    const context = freshContext()
    const enter = async () => {
      context.enter(value('a'))
      await nextTurn()
    }
    await nextTurn()
    await enter()
    expect(context.value?.name).toBe('a')
  })

  it('is not seen by a flow of its siblings', async () => {
    const context = freshContext()
    const flow = async (name: string) => {
      await nextTurn()
      context.enter(value(name))
      await nextTurn()
      return context.value?.name
    }
    expect(await Promise.all(['a', 'b', 'c'].map(flow))).toEqual(['a', 'b', 'c'])
  })

  it('does not reach later callbacks of the same resource, however many were entered', async () => {
    const context = freshContext()
    const resource = new AsyncResource('TIMER')
    const callback = () => {
      const found = context.value?.name
      context.enter(value('a'))
      context.enter(value('b'))
      return [found, nextTurn().then(() => context.value?.name)] as const
    }
    const [first, later] = resource.runInAsyncScope(callback)
    expect(await later).toBe('b')
    const [second] = resource.runInAsyncScope(callback)
    expect([first, second]).toEqual([undefined, undefined])
  })

  it('leaves what the resource was made with', async () => {
    const context = freshContext()
    const resource = context.run(value('outer'), () => new AsyncResource('TIMER'))
    const callback = () => {
      const found = context.value?.name
      context.enter(value('a'))
      return found
    }
    const found: unknown[] = []
    for (let call = 0; call < 3; call += 1) {
      found.push(resource.runInAsyncScope(callback))
      await nextTurn()
    }
    expect(found).toEqual(['outer', 'outer', 'outer'])
  })

  it('is left behind with the function that it was entered in', async () => {
    const context = freshContext()
    const resource = new AsyncResource('TIMER')
    const inside = resource.runInAsyncScope(() =>
      context.run(value('scope'), () => {
        context.enter(value('a'))
        return context.value?.name
      }),
    )
    await nextTurn()
    expect([inside, resource.runInAsyncScope(() => context.value)]).toEqual(['a', undefined])
  })
})

describe('contexts side by side', () => {
  it('have a value each, whichever was entered last', async () => {
    const [one, other] = [freshContext(), freshContext()]
    one.enter(value('a'))
    other.enter(value('b'))
    await nextTurn()
    expect([one.value?.name, other.value?.name]).toEqual(['a', 'b'])
    one.enter(value('c'))
    await nextTurn()
    expect([one.value?.name, other.value?.name]).toEqual(['c', 'b'])
  })

  it('leave each other’s values when a function has ended', () => {
    const [one, other] = [freshContext(), freshContext()]
    const inside = one.run(value('a'), () =>
      other.run(value('b'), () => [one.value?.name, other.value?.name]),
    )
    expect(inside).toEqual(['a', 'b'])
    expect([one.value, other.value]).toEqual([undefined, undefined])
  })

  it('keep what the synchronous part of a function enters in others, as without the function', async () => {
    const [one, other] = [freshContext(), freshContext()]
    one.enter(value('a'))
    const inside = one.run(value('scope'), async () => {
      one.enter(value('left behind'))
      other.enter(value('b'))
      await nextTurn()
      return [one.value?.name, other.value?.name]
    })
    expect([one.value?.name, other.value?.name]).toEqual(['a', 'b'])
    expect(await inside).toEqual(['left behind', 'b'])
    expect([one.value?.name, other.value?.name]).toEqual(['a', 'b'])
  })

  it('take nothing from others when a function throws that has entered nothing', () => {
    const [one, other] = [freshContext(), freshContext()]
    other.enter(value('b'))
    const failing = () =>
      one.run(value('scope'), () => {
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect([one.value, other.value?.name]).toEqual([undefined, 'b'])
  })

  it('share one storage, as each of them would cost every promise of the process some time', async () => {
    const entered = vi.spyOn(AsyncLocalStorage.prototype, 'enterWith')
    const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
    for (let index = 0; index < 3; index += 1) {
      const context = freshContext()
      context.enter(value('a'))
      context.run(value('b'), () => undefined)
      await nextTurn()
    }
    expect(new Set([...entered.mock.contexts, ...run.mock.contexts]).size).toBe(1)
    vi.restoreAllMocks()
  })

  it('are forgotten by a flow when their values are over', async () => {
    const contexts: WeakRef<FlowContext<Value>>[] = []
    const kept = freshContext()
    kept.enter(value('kept'))
    for (let index = 0; index < 50; index += 1) {
      const [context, entered] = [freshContext(), value('a')]
      context.enter(entered)
      await nextTurn()
      entered.isOver = true
      contexts.push(new WeakRef(context))
    }
    await nextTurn()
    collectGarbage()
    expect(contexts.filter((context) => context.deref() !== undefined).length).toBeLessThan(5)
    expect(kept.value?.name).toBe('kept')
  })
})
