import { describe, expect, it } from 'vitest'
import { AbortError, type RedissonClient } from '../../src/index.js'
import type { Sample } from '../contracts/subject.js'
import { subjects } from '../contracts/subjects.js'
import { called } from '../contracts/takes.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { watchedClient } from '../support/watched-client.js'

const ENOUGH = new Error('enough')

/** The overloads of a method that makes a request. */
function formsOf({ forms, refuses, isIteration = false, asksNothing = false }: Sample): Sample['forms'] {
  return (refuses === 'by rejecting' || isIteration) && !asksNothing ? forms : []
}

const iteration = (iterable: AsyncIterable<unknown>) => iterable[Symbol.asyncIterator]().next()

/** As a program without types calls. */
type Untyped = Readonly<Record<string | symbol, (...args: readonly unknown[]) => unknown>>

const signalled = Object.entries(subjects).filter(([, { takesSignal }]) => takesSignal)

describe('a client with a signal that has aborted', () => {
  noLeaks(single)

  const watched = watchedClient(single)

  it.each(signalled)(
    'sends nothing of any method that makes a request: %s',
    async (name, { make, methods, worksByItself = false }) => {
      const { client, monitor } = watched
      const objects = client.withSignal(AbortSignal.abort(ENOUGH)) as RedissonClient
      const object = (await make(objects, name)) as Untyped
      const { length } = await monitor.deeds()
      const others: string[] = []
      for (const method of Reflect.ownKeys(methods))
        for (const form of formsOf(methods[method] as Sample)) {
          const call = async () => {
            const returned = object[method]?.(...form.map(({ sound }) => sound))
            return methods[method]?.isIteration
              ? await iteration(returned as AsyncIterable<unknown>)
              : await returned
          }
          const outcome: unknown = await call().catch((reason: unknown) => reason)
          if (!(outcome instanceof AbortError && !outcome.mayHaveRun && outcome.cause === ENOUGH))
            others.push(`${String(method)}: ${String(outcome)}`)
        }
      expect(others).toEqual([])
      const sent = (await monitor.deeds()).slice(length)
      expect(worksByItself ? [] : sent).toEqual([])
      expect(called).not.toHaveBeenCalled()
    },
  )
})
