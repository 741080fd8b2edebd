import { connect } from 'node:net'
import type { HostAndPort } from '../../api/redisson-options.js'

/** How long to wait for a message, in milliseconds: a server that refuses connections says so at once. */
const WITHIN_MS = 500

/** The longest message. A server sends one line. */
const MOST_CHARACTERS = 4096

/**
 * Returns the message that a server sends before it closes a new connection, such as that it has too many clients; undefined if there is none.
 *
 * Only a connection that sends nothing can read it: what is sent to a closed connection resets it, and the error hides the message.
 */
export async function saidUnasked(
  { host, port }: HostAndPort,
  signal: AbortSignal,
): Promise<string | undefined> {
  const socket = connect({ host, port, signal })
  socket.setEncoding('utf8').setTimeout(WITHIN_MS, () => socket.destroy())
  let said = ''
  try {
    for await (const text of socket as AsyncIterable<string>) {
      said += text
      if (said.includes('\n') || said.length > MOST_CHARACTERS) break
    }
  } catch {
    return undefined // it was closed without a word
  }
  return /^-(.+?)\r?\n/.exec(said)?.[1]
}
