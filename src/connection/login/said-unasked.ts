import { connect } from 'node:net'
import type { HostAndPort } from '../../api/redisson-options.js'

/** A server that does not want us says so at once: nothing is waited for longer than this, in milliseconds. */
const WITHIN_MS = 500

/** What a server says there is one line. */
const MOST_CHARACTERS = 4096

/**
 * Returns what a server says before it closes a new connection, such as that it has too many clients; undefined for one that
 * says nothing.
 *
 * Only a connection that sends nothing can read it: what is sent to a closed connection resets it, and its error hides the words.
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
