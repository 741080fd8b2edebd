import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FlowContext } from '../../../src/ownership/flow-context.js'

interface Value {
  readonly name: string
}

const value = (name: string): Value => ({ name })

const freshContext = () => new FlowContext<Value>(value('probe'))

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
