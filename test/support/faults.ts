import type { TcpProxy } from './proxy.js'
import type { Passing } from './proxy/trap.js'

/** What a network does to one request: its name, when it happens, and what it is. */
export type Fault = readonly [
  what: string,
  moment: 'request' | 'reply',
  act: (passing: Passing) => void | Promise<void>,
]

/** It never arrives, or its reply gets lost, slowly or at once, for a client that waits that long for a reply. */
export function faultsFor(timeoutMs: number): readonly Fault[] {
  return [
    ['is cut off before it arrives', 'request', (passing) => passing.cut()],
    ['is answered, and the answer cut off', 'reply', (passing) => passing.cut()],
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
