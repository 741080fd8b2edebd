import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { notSent } from '../../../src/command/requests/caller-wait.js'
import { NotSentError } from '../../../src/errors/not-sent.js'
import { RequestRules } from '../../../src/command/requests/request-rules.js'

/** Where requests are that came through once, and whose replies Redis remembers. */
function rulesWith(forgotten: string[]): RequestRules {
  const requests = { lifeMs: () => 60_000 }
  const cleanup = { forget: (key: string) => forgotten.push(key) }
  const deps = [{}, requests, cleanup, new AbortController().signal] as unknown
  return new RequestRules(...(deps as ConstructorParameters<typeof RequestRules>))
}

const facts: unknown = { attempts: 1, isKept: false, requestKey: 'request', loss: undefined }
const request = facts as Parameters<RequestRules['resultOf']>[0]

describe('the reply to a request', () => {
  it('is forgotten by Redis once it is there', () => {
    const forgotten: string[] = []
    const options = { remember: true, sending: notSent() }
    rulesWith(forgotten).resultOf(request, 7, options, undefined)
    expect(forgotten).toEqual(['request'])
  })

  it('stays where its caller has stopped waiting, as what it has taken is given back by it', () => {
    const forgotten: string[] = []
    const options = { remember: true, sending: { ...notSent(), over: true } }
    rulesWith(forgotten).resultOf(request, 7, options, undefined)
    expect(forgotten).toEqual([])
  })
})

describe('a request that was not sent', () => {
  const unsent = { attempts: 1, isKept: false, isRepeatable: true, loss: undefined } as unknown
  const mayRepeat = (isOfUse?: () => boolean) =>
    rulesWith([]).mayRepeat(
      unsent as Parameters<RequestRules['mayRepeat']>[0],
      new NotSentError('No master of the cluster is known at a'),
      isOfUse === undefined ? {} : { isOfUse },
    )

  it('is sent again, unless that would be of no use', () => {
    expect(mayRepeat()).toBe(true)
    expect(mayRepeat(() => true)).toBe(true)
    expect(mayRepeat(() => false)).toBe(false)
  })
})

describe('the pause before a request is sent again', () => {
  it('ends with the client or its caller, and thousands share one listener', async () => {
    const [closing, endOfWaiting] = [new AbortController(), new AbortController()]
    const config = { retryDelay: () => 600_000 }
    const deps = [config, {}, {}, closing.signal] as unknown
    const rules = new RequestRules(...(deps as ConstructorParameters<typeof RequestRules>))
    const own = rules.pause(1, { endOfWaiting: endOfWaiting.signal })
    const many = Array.from({ length: 100 }, () => rules.pause(1))
    expect(getEventListeners(closing.signal, 'abort')).toHaveLength(1)
    endOfWaiting.abort()
    await expect(own).rejects.toMatchObject({ code: 'CLOSED' })
    closing.abort()
    for (const each of many) await expect(each).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(rules.pause(1)).rejects.toMatchObject({ code: 'CLOSED' })
    expect(getEventListeners(closing.signal, 'abort')).toHaveLength(0)
  })
})
