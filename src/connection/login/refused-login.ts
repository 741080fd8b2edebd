import { AuthenticationError } from '../../errors/connection-errors.js'

/** The replies of a server that wants no password. */
const NO_PASSWORD = /no password is set|without any password configured for the default user/

/** The server that refused. */
export interface Refuser {
  /** As `host:port`. */
  readonly address: string
  /** Whether it is a sentinel, which has a password of its own. */
  readonly sentinel?: boolean
  /** Whether the program was asked for the refused credentials. */
  readonly wasAsked?: boolean
}

/** Returns whether a server has refused a password because it wants none. */
export function wantsNoPassword({ message }: Error): boolean {
  return NO_PASSWORD.test(message)
}

/** Returns the error for a reply that begins with `NOAUTH`, `WRONGPASS` or `NOPERM`, with advice. */
export function refusedLogin(
  cause: Error,
  { address, sentinel = false, wasAsked = false }: Refuser,
): AuthenticationError {
  const server = sentinel ? `The sentinel at ${address}` : `Redis at ${address}`
  const [user, password] = sentinel ? ['sentinelUsername', 'sentinelPassword'] : ['username', 'password']
  const told = sentinel ? '`sentinelCredentials` has' : '`credentials` has'
  const check = wasAsked ? `what ${told} returned` : `\`${user}\` and \`${password}\``
  const advice: Readonly<Record<string, string>> = {
    NOAUTH: `wants a password (NOAUTH): set \`${password}\``,
    WRONGPASS: `does not accept the user name or the password (WRONGPASS): check ${check}`,
  }
  const [word = ''] = cause.message.split(' ', 1)
  const problem = advice[word] ?? `does not permit this user to connect: ${cause.message}`
  return new AuthenticationError(`${server} ${problem}`, { address, cause })
}
