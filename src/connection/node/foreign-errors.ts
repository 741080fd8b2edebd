/** What an error of Node says besides its message: none of it can be a secret. */
const FACTS = ['code', 'syscall', 'hostname', 'address', 'port'] as const

/** Words of others that repeat what they were sent, go on for long, or are about themselves, and what is left of them. */
const REPEATED: readonly (readonly [words: RegExp, left: string])[] = [
  [/, with args beginning with:.*$/s, ''], // Redis, of a command that it does not know
  [/\bUser \S+ has no permissions/, 'this user has no permissions'], // Redis from version 7 on
  [/\. Received .*$/s, ''], // Node, of a setting that it does not take
  [/^Unknown RESP type .*$/s, 'the server does not reply in the protocol of Redis'], // ioredis, of any other server
  [/(?<=:\/\/)[^\s/@]+(?=@)/g, '***'], // anyone, of an address
  [/(?<=^DENIED .*)\. If you want to connect .*$/s, ''], // Redis, of its protected mode
]

/** Where Redis says that an error came from: a hash that means nothing to the caller. */
const WHERE_IN_SCRIPT = / script: [\da-f]{40}, on @user_script:\d+\.?$/

/**
 * Returns what an error of Redis, ioredis or Node says, without what it holds.
 *
 * ioredis hangs the command with all its arguments on such an error, which may be a password; and the server's words may
 * repeat them. So a foreign error goes no further than this, neither as a cause nor in a message.
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

/** A program may throw anything, also what throws when it is looked at. */
function isError(error: unknown): error is Error {
  try {
    return error instanceof Error
  } catch {
    return false
  }
}

/** What is no text as a text, and nothing in the place of what cannot be read. */
function textOf(read: () => unknown): string {
  try {
    return String(read())
  } catch {
    return 'unreadable'
  }
}

function factOf(error: unknown, fact: (typeof FACTS)[number]): unknown {
  try {
    return Reflect.get(Object(error) as object, fact)
  } catch {
    return undefined
  }
}

/** Where a host has several addresses, Node's error has no words of its own. */
function wordsOf(error: Error, message: string): string {
  if (error instanceof AggregateError && message === '')
    return textOf(() => error.errors.map((each) => withoutSecrets(each).message).join(', '))
  const words = REPEATED.reduce((text, [pattern, left]) => text.replace(pattern, left), message)
  return words.replace(WHERE_IN_SCRIPT, '')
}

/** The frames at the end of a stack, since what comes before them is the message again. */
function framesOf(stack: string): string {
  return /(?:\n {4}at .*)*$/.exec(stack)?.[0] ?? ''
}
