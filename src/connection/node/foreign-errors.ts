import { factOf, isError, textOf } from '../../util/thrown/thrown.js'

/** The properties of an error of Node besides its message. None of them can be a secret. */
const FACTS = ['code', 'syscall', 'hostname', 'address', 'port'] as const

/** Patterns in foreign messages that repeat input, go on for long or concern only their author; and what replaces them. */
const REPEATED: readonly (readonly [words: RegExp, left: string])[] = [
  [/, with args beginning with:.*$/s, ''], // Redis, of a command that it does not know
  [/\bUser \S+ has no permissions/, 'this user has no permissions'], // Redis from version 7 on
  [/\. Received .*$/s, ''], // Node, of a setting that it does not take
  [/^Unknown RESP type .*$/s, 'the server does not reply in the protocol of Redis'], // ioredis, of any other server
  [/(?<=:\/\/)[^\s/@]+(?=@)/g, '***'], // anyone, of an address
  [/(?<=^DENIED .*)\. If you want to connect .*$/s, ''], // Redis, of its protected mode
]

/** The origin that Redis adds to an error of a script: a hash that means nothing to the caller. */
const WHERE_IN_SCRIPT = / script: [\da-f]{40}, on @user_script:\d+\.?$/

/**
 * Returns a copy of an error of Redis, ioredis or Node without anything that may be secret.
 *
 * ioredis attaches the command with all its arguments to such an error. One of them may be a password, and the server's message may repeat
 * them. So a foreign error is never passed on itself, neither as a cause nor in a message.
 */
export function withoutSecrets(error: unknown): Error {
  const given = isError(error) ? error : new Error(textOf(() => error))
  const name = textOf(() => given.name)
  const message = textOf(() => given.message)
  const copy = new Error(wordsOf(given, message))
  Object.defineProperty(copy, 'name', { value: name, configurable: true, writable: true })
  const stack = textOf(() => given.stack ?? '')
  Object.defineProperty(copy, 'stack', { value: `${name}: ${copy.message}${framesOf(stack)}` })
  for (const fact of FACTS) {
    const value = factOf(error, fact)
    if (typeof value === 'string' || typeof value === 'number') Object.assign(copy, { [fact]: value })
  }
  return copy
}

/** Returns the message of an error. If a host has several addresses, Node's error has no message of its own. */
function wordsOf(error: Error, message: string): string {
  if (error instanceof AggregateError && message === '')
    return textOf(() => error.errors.map((each) => withoutSecrets(each).message).join(', '))
  const words = REPEATED.reduce((text, [pattern, left]) => text.replace(pattern, left), message)
  return words.replace(WHERE_IN_SCRIPT, '')
}

/** Returns the frames at the end of a stack. What precedes them repeats the message. */
function framesOf(stack: string): string {
  return /(?:\n {4}at .*)*$/.exec(stack)?.[0] ?? ''
}
