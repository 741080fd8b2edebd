import { describe, expect, it, vi } from 'vitest'
import { takeBack } from '../../../src/waiting/compensation.js'
import { ConnectionLostError } from '../../../src/errors/connection-errors.js'
import { ScriptError, UnexpectedReplyError } from '../../../src/errors/reply-errors.js'

const lost = new ConnectionLostError('gone')

/** A request whose givings back are counted. */
function requestOf(answer: Promise<string>, failures: { giveBack?: Error; undo?: readonly Error[] } = {}) {
  const done: string[] = []
  const undoFailures = [...(failures.undo ?? [])]
  return {
    done,
    answer,
    giveBack: (value: string) => {
      done.push(`gave back ${value}`)
      return failures.giveBack === undefined ? Promise.resolve() : Promise.reject(failures.giveBack)
    },
    undo: () => {
      done.push('undid')
      const failure = undoFailures.shift()
      return failure === undefined ? Promise.resolve() : Promise.reject(failure)
    },
    undoWithinMs: 10_000,
    awaited: new AbortController().signal,
  }
}

describe('what no caller waits for any more', () => {
  it('is given back once where the answer is known, and not before it has come', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<string>()
    const request = requestOf(answer)
    const over = takeBack(request)
    expect(request.done).toEqual([])
    resolve('it')
    await over
    expect(request.done).toEqual(['gave back it'])
  })

  it('is never undone where the reply is known, though it is unknown whether it was released', async () => {
    const request = requestOf(Promise.resolve('it'), { giveBack: lost })
    await takeBack(request)
    expect(request.done).toEqual(['gave back it'])
  })

  it('is undone until Redis has confirmed it, where no answer came', async () => {
    const request = requestOf(Promise.reject(lost), { undo: [lost, lost] })
    await takeBack(request)
    expect(request.done).toEqual(['undid', 'undid', 'undid'])
  })

  it('is undone at once when the client closes in a pause', async () => {
    vi.useFakeTimers()
    try {
      const closing = new AbortController()
      const request = requestOf(Promise.reject(lost), { undo: [lost, lost] })
      const over = takeBack({ ...request, awaited: closing.signal })
      await vi.advanceTimersByTimeAsync(99)
      expect(request.done).toEqual(['undid'])
      closing.abort()
      await vi.advanceTimersByTimeAsync(0)
      expect(request.done).toEqual(['undid', 'undid'])
      await vi.advanceTimersByTimeAsync(99)
      expect(request.done).toEqual(['undid', 'undid'])
      await vi.advanceTimersByTimeAsync(1)
      await over
      expect(request.done).toEqual(['undid', 'undid', 'undid'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('is undone where the answer cannot be read', async () => {
    const request = requestOf(Promise.reject(new UnexpectedReplyError('an integer', '1')))
    await takeBack(request)
    expect(request.done).toEqual(['undid'])
  })

  it('is left alone where Redis has refused the request', async () => {
    const refusal = new ScriptError('some/script', { cause: new Error('no') })
    const request = requestOf(Promise.reject(refusal))
    await takeBack(request)
    expect(request.done).toEqual([])
  })
})
