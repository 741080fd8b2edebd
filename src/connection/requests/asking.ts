import type { Redis } from 'ioredis'

/** How many of our connections handle the rejections of a node's ASKING. */
const hearers = new WeakMap<Redis, number>()

/**
 * Handles the rejections of ASKING at a node, until the result is disposed of.
 *
 * ioredis sends one ahead of each request that a node redirects by ASK, and drops its promise. That rejects with the node's connection, and
 * an unhandled rejection ends the process. The request itself rejects as well, with the details.
 */
export function hearAsking(node: Redis): Disposable {
  const count = hearers.get(node) ?? 0
  if (count === 0)
    Object.defineProperty(node, 'asking', { value: askingOf(node), configurable: true, writable: true })
  hearers.set(node, count + 1)
  return {
    [Symbol.dispose]: () => {
      stopHearing(node)
    },
  }
}

/** Restores the method when the last one has stopped, so that a connection of the program is left as it was. */
function stopHearing(node: Redis): void {
  const count = (hearers.get(node) ?? 0) - 1
  hearers.set(node, count)
  if (count === 0) Reflect.deleteProperty(node, 'asking')
}

/** Wraps the method so that a rejection of the promise that it returns is handled. */
function askingOf(node: Redis): Redis['asking'] {
  const ask = node.asking.bind(node)
  return (...args) => {
    const asked = ask(...args)
    asked.catch(() => undefined)
    return asked
  }
}
