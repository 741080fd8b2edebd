import { describe } from 'vitest'
import type { TcpProxy } from './proxy.js'
import type { Passing } from './proxy/trap.js'

/** What a network does to one request: its name, when it happens, and what it is. */
export type Fault = readonly [
  what: string,
  moment: 'request' | 'reply',
  act: (passing: Passing) => void | Promise<void>,
]

/** A request that does not arrive, or whose reply does not, because the connection is cut. */
const CUTS: readonly Fault[] = [
  ['is cut off before it arrives', 'request', (passing) => passing.cut()],
  ['is answered, and the answer cut off', 'reply', (passing) => passing.cut()],
]

/** The same without a word, for a client that waits that long for a reply. */
function silencesFor(timeoutMs: number): readonly Fault[] {
  return [
    ['vanishes on the way', 'request', (passing) => passing.freeze()],
    ['is answered, and the answer vanishes', 'reply', (passing) => passing.freeze()],
    [
      'is answered too late',
      'reply',
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, timeoutMs * 1.5)
        await promise
      },
    ],
  ]
}

/** It never arrives, or its reply gets lost, slowly or at once, for a client that waits that long for a reply. */
export function faultsFor(timeoutMs: number): readonly Fault[] {
  return [...CUTS, ...silencesFor(timeoutMs)]
}

/**
 * Declares tests for each fault.
 *
 * The gate has the connections that are cut. A silence takes the time limit of a request, in each test. Objects do not tell it from a cut:
 * they are given the same error, or the result of the next copy. So the gate has silences once, in the tests of the
 * piece that sends requests, and without a clock in the simulation.
 */
export function describeFaults(title: string, timeoutMs: number, tests: (...fault: Fault) => void): void {
  describe.each(CUTS)(title, tests)
  describe.each(silencesFor(timeoutMs))(title, { tags: ['full'] }, tests)
}

/** Has a fault happen to the next request of a script, at whichever node; once. Resolves when it has happened. */
export function strike(
  proxies: readonly TcpProxy[],
  sha: string,
  [, moment, act]: Fault,
): { readonly struck: Promise<void> } {
  const { promise: struck, resolve } = Promise.withResolvers<void>()
  let done = false
  const once = async (passing: Passing) => {
    if (done) return
    done = true
    resolve()
    await act(passing)
  }
  for (const proxy of proxies) {
    if (moment === 'request') proxy.onRequest(sha, once)
    else proxy.onReply(sha, once)
  }
  return { struck }
}
