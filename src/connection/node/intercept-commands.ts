import type { Command, Redis } from 'ioredis'

/** Inspects a command, and sends it or returns something else in its place. */
type Look = (command: Command, send: () => unknown) => unknown

/**
 * Inspects each command of a connection before it is sent. All of them pass `sendCommand()`, in the order in which they are sent.
 *
 * @returns a function that stops this and restores the method
 */
export function interceptCommands(redis: Redis, look: Look): () => void {
  const own = Object.getOwnPropertyDescriptor(redis, 'sendCommand')
  const prototype = Object.getPrototypeOf(redis) as Redis
  let stopped = false
  const intercepted: Redis['sendCommand'] = (...args) => {
    const send = () => ((own?.value ?? prototype.sendCommand) as Redis['sendCommand']).apply(redis, args)
    return stopped ? send() : look(args[0], send)
  }
  Object.defineProperty(redis, 'sendCommand', { value: intercepted, configurable: true, writable: true })
  return () => {
    stopped = true
    if (redis.sendCommand !== intercepted) return // it has been wrapped in turn
    if (own === undefined) Reflect.deleteProperty(redis, 'sendCommand')
    else Object.defineProperty(redis, 'sendCommand', own)
  }
}
