import type { Fate, Interceptor, Message } from './network/message.js'

/** Which message is meant. What is left out may be anything. */
export interface Which {
  /** The name of the process. */
  readonly host?: string
  /** The server, as `host:port`. */
  readonly address?: string
  /** The name of the command, in upper case. */
  readonly name?: string
  /**
   * The first of those, the second, …
   *
   * @defaultValue 1
   */
  readonly nth?: number
}

/** What becomes of a message. A function may do something else as well, such as stop a process. */
export type Decision = Fate | ((message: Message) => Fate | void)

/** Decides what becomes of one command. */
export function atRequest(which: Which, decision: Decision): Interceptor {
  return { request: once(which, decision) }
}

/** Decides what becomes of one reply. `name` is that of the command. */
export function atReply(which: Which, decision: Decision): Interceptor {
  return { reply: once(which, decision) }
}

function once(which: Which, decision: Decision): (message: Message) => Fate | void {
  let left = which.nth ?? 1
  return (message) => {
    if (!matches(which, message)) return undefined
    left -= 1
    if (left !== 0) return undefined
    return typeof decision === 'function' ? decision(message) : decision
  }
}

function matches({ host, address, name }: Which, message: Message): boolean {
  const { route } = message
  return (
    (host ?? route.host) === route.host &&
    (address ?? route.address) === route.address &&
    (name === undefined || name === message.name)
  )
}
