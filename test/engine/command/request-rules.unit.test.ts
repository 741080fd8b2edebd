import { describe, expect, it } from 'vitest'
import { notSent } from '../../../src/command/caller-wait.js'
import { RequestRules } from '../../../src/command/request-rules.js'

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
