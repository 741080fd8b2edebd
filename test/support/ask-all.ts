import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerNode } from './launch/topology.js'

/** A server that has not answered by then counts as frozen. */
const ANSWER_WITHIN_MS = 1_000

/** Asks many servers at once. Those that are dead, or have not answered in time, have no part in the answer. */
export async function askAll<N extends ServerNode, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<T[]> {
  const late = new AbortController()
  const timer = sleep(withinMs, undefined, { ref: false, signal: late.signal }).catch(() => undefined)
  const answers = nodes.map((node) => {
    const answer = ask(node).then(
      (value): T[] => [value],
      (): T[] => [],
    )
    return Promise.race([answer, timer.then((): T[] => [])])
  })
  try {
    const answered = await Promise.all(answers)
    return answered.flatMap((answer) => answer)
  } finally {
    late.abort()
  }
}
