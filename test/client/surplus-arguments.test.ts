import { describe, it } from 'vitest'
import { demandRefusals, type Call } from '../contracts/demand-refusals.js'
import { KEPT, subjects, type AnySubject } from '../contracts/subjects.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { watchedClient } from '../support/watched-client.js'

/** The methods by name, each with all that it takes and one more, without those that take any number of arguments. */
function callsOf({ methods }: AnySubject): readonly Call[] {
  return Object.entries(methods).flatMap(
    ([
      method,
      {
        forms: [most = []],
      },
    ]) => {
      if (most.some(({ isRest }) => isRest)) return []
      const args = most.map(({ sound }) => sound)
      return [Symbol('surplus'), {}, null].map((surplus): Call => [method, [...args, surplus]])
    },
  )
}

describe('a surplus argument', () => {
  noLeaks(single, { except: KEPT })

  const watched = watchedClient(single)

  it.each(Object.entries(subjects))(
    'of any method is refused, and nothing is sent: %s',
    async (name, subject) => {
      await demandRefusals(name, callsOf(subject), watched, /^Expected no further argument, got /)
    },
  )
})
