/** By what a server lets a connection in, for as long as that holds. */
export interface ServerCredentials {
  /**
   * User name.
   *
   * @defaultValue none: the user `default`
   */
  readonly username?: string | null | undefined
  /** Password, or token. It may not be empty. */
  readonly password: string
  /**
   * When the server stops accepting them, in milliseconds since 1970 as `Date.now()` has them, or as a `Date`.
   *
   * They are shared by all connections to the same address until a fifth of their time is left, or five minutes of a longer time. Then the
   * function is called again, and open connections log in again (`AUTH`) with what it returns.
   *
   * @defaultValue none: the function is called for each connection, and open connections stay as they are
   */
  readonly expiresAt?: number | Date | null | undefined
}

/** For which connection credentials are asked for. */
export interface CredentialsRequest {
  /** The server, as `host:port`, or the path of its socket. */
  readonly address: string
  /**
   * Aborts when nobody waits for the credentials any more: the client was shut down, `connectTimeout` is over, or the connection that opens uses
   * those that it has.
   */
  readonly signal: AbortSignal
}

/**
 * Returns the credentials for a server. Connections that ask at the same time share one call.
 *
 * If it throws, rejects, returns something else, or does not settle within `connectTimeout`, the attempt to
 * connect has failed, as if the server could not be reached. The client tries again, with the pauses of
 * `reconnectionDelay`. Errors quote the error of this function, so it must not contain a secret.
 */
export type CredentialsProvider = (
  request: CredentialsRequest,
) => ServerCredentials | PromiseLike<ServerCredentials>
