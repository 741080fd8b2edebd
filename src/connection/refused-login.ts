import { AuthenticationError } from '../errors/connection-errors.js'

/** The server that refused. */
export interface Refuser {
  /** As `host:port`. */
  readonly address: string
  /** Whether it is a sentinel, which has a password of its own. */
  readonly sentinel?: boolean
}

/** Returns the error for a reply that begins with `NOAUTH`, `WRONGPASS` or `NOPERM`, with what to do about it. */
export function refusedLogin(cause: Error, { address, sentinel = false }: Refuser): AuthenticationError {
  const server = sentinel ? `The sentinel at ${address}` : `Redis at ${address}`
  const [user, password] = sentinel ? ['sentinelUsername', 'sentinelPassword'] : ['username', 'password']
  const advice: Readonly<Record<string, string>> = {
    NOAUTH: `wants a password (NOAUTH): set \`${password}\``,
    WRONGPASS: `does not accept the user name or the password (WRONGPASS): check \`${user}\` and \`${password}\``,
  }
  const [word = ''] = cause.message.split(' ', 1)
  const problem = advice[word] ?? `does not permit this user to connect: ${cause.message}`
  return new AuthenticationError(`${server} ${problem}`, { address, cause })
}
