import { describe, it } from 'vitest'
import { demandRefusals, type Call } from '../contracts/demand-refusals.js'
import { KEPT, subjects, type AnySubject } from '../contracts/subjects.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { watchedClient } from '../support/watched-client.js'

const GOT_NULL = /^Expected .*(, got null|, got [{[].*null)/

/** The methods, each with one argument or one option after the other that is null. */
function callsOf({ methods }: AnySubject): readonly Call[] {
  return Object.entries(methods).flatMap(([method, { forms }]) =>
    forms.flatMap((takes) =>
      takes.flatMap(({ nulls }, at) =>
        nulls.map((each): Call => [method, takes.map(({ sound }) => sound).with(at, each)]),
      ),
    ),
  )
}

describe('null', () => {
  noLeaks(single, { except: KEPT })

  const watched = watchedClient(single)

  it.each(Object.entries(subjects))(
    'is not left out, but refused, and nothing is sent: %s',
    async (name, subject) => {
      await demandRefusals(name, callsOf(subject), watched, GOT_NULL)
    },
  )
})
