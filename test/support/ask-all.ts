import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerNode } from './launch/topology.js'

/** Asks many servers at once, each of which has to reply. Resolves with their replies, in their order. */
export async function askAll<N extends ServerNode, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
): Promise<T[]> {
  return Promise.all(nodes.map((node) => ask(node)))
}

/** A server that has not replied by then counts as frozen. */
const REPLY_WITHIN_MS = 1_000

/** Asks many servers at once. Resolves with the replies of those that are neither dead nor frozen, and throws if there are none. */
export async function askLiving<N extends ServerNode, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
): Promise<T[]> {
  const late = new AbortController()
  const timer = sleep(REPLY_WITHIN_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined)
  const replies = nodes.map((node) => {
    const reply = ask(node).then(
      (value): T[] => [value],
      (): T[] => [],
    )
    return Promise.race([reply, timer.then((): T[] => [])])
  })
  try {
    const found = (await Promise.all(replies)).flatMap((reply) => reply)
    if (found.length > 0) return found
  } finally {
    late.abort()
  }
  throw new Error(`None of ${String(nodes.length)} servers has replied within ${String(REPLY_WITHIN_MS)} ms`)
}
