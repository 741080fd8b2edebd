import type { Config } from '../../config/config.js'
import { SILENCE, onSocketTimeout } from '../node/socket-timeout.js'

/** ioredis's message that there is no connection, without the reason. */
export const CLOSED = 'Connection is closed.'
const UNANSWERED = /^(timeout|Command timed out)$/
const SAYS_NOTHING = /^(Connection is closed\.|timeout|Reached the max retries per request limit .*)$/

/** The error codes of a server that refuses this client. */
const REFUSED = /^(NOAUTH|WRONGPASS|NOPERM) /

/** The error codes of a server that does not accept a password. */
const WRONG_PASSWORD = /^(?:NOAUTH|WRONGPASS) /

/** Other messages that a server will repeat the next time. */
const FINAL = /\bDB index\b|cluster support disabled|^it is a sentinel|^DENIED /

/** The problem with a sentinel where a server is expected. */
export const IS_SENTINEL =
  'it is a sentinel, and sentinels have no data (`sentinelServersConfig` asks them for the master)'

/** Advice for replies of a server of another kind than the settings expect. */
const MISPLACED: readonly (readonly [words: RegExp, advice: string])[] = [
  [/cluster support disabled/, '`singleServerConfig` is for a server that is no node of a cluster'],
  [/unknown command [`']cluster'/i, '`sentinelServersConfig` is for sentinels'],
  [/unknown command [`']sentinel'/i, 'it is no sentinel'],
]

/** Node's messages about a server that does not speak TLS. */
const NO_TLS = /wrong version number|packet length too long/i

/** Node's message if either side has closed the connection before the TLS handshake was done. */
const NO_HANDSHAKE = /^Client network socket disconnected before secure TLS/

/** The codes of errors of a connection that the other side has closed. */
const CUT_CODES: readonly unknown[] = ['EPIPE', 'ECONNRESET']

export type Timeouts = Pick<Config, 'connectTimeoutMs' | 'timeoutMs'>

/** A server that was tried. */
export interface Tried {
  /** As `host:port`. */
  readonly address: string
  readonly tls: boolean
  readonly sentinel?: boolean
}

/** An attempt to connect. */
export interface Attempt extends Tried {
  /** Whether the server has accepted the connection, and the TLS that was expected. */
  readonly reached: boolean
}

/** A failure at a server. */
export interface Failure extends Tried {
  readonly error: Error
  /** {@link Attempt.reached} of the attempt that was under way; undefined if the connection had worked before. */
  readonly reached: boolean | undefined
}

export function isRefusedLogin({ error }: Failure): boolean {
  return REFUSED.test(error.message)
}

/** Returns whether another password could be accepted. */
export function isWrongPassword({ error }: Failure): boolean {
  return WRONG_PASSWORD.test(error.message)
}

/** Returns whether a server will refuse this client the next time as well. */
export function isRefusal({ message }: Error): boolean {
  return REFUSED.test(message) || FINAL.test(message)
}

export function saysNothing({ message }: Error): boolean {
  return SAYS_NOTHING.test(message) || SILENCE.test(message)
}

/** Returns another error for a request that was lost with its connection: ioredis names a setting that this library does not have. */
export function inOurWords(error: Error): Error {
  return error.message.startsWith('Reached the max retries') ? new Error('The connection was closed') : error
}

/** Returns whether an error may be the consequence of another one, which says more. */
export function followsAnother(error: Error): boolean {
  return saysNothing(error) || NO_HANDSHAKE.test(error.message)
}

/** Returns whether an error means that the other side has closed the connection. */
export function isCut(error: Error): boolean {
  return error.message === CLOSED || ('code' in error && CUT_CODES.includes(error.code))
}

/** Returns whether a server has shown that it does not speak the TLS that is expected. */
export function isWithoutTls(failure: Failure): boolean {
  return isHandshakeUnanswered(failure) || (failure.tls && NO_TLS.test(failure.error.message))
}

/** Returns a failure for a server that has not replied so far. */
export function asFailure(attempt: Attempt): Failure {
  const words = attempt.reached
    ? 'it has accepted the connection, and not replied yet'
    : 'it has not accepted the connection yet'
  return { ...attempt, error: new Error(words) }
}

/**
 * Returns where something failed, and why, in words.
 *
 * @param worked - whether connections to the server have worked with these settings
 */
export function inWords(failure: Failure, timeouts: Timeouts, worked: boolean): string {
  const { address, sentinel, tls, error, reached } = failure
  const where = sentinel === true ? `by the sentinel at ${address}` : `at ${address}`
  const mayExpectTls = reached === true && !tls && !worked
  const ofConnection = isCut(error) ? wordsOfCut(error, mayExpectTls) : wordsOf(error, timeouts)
  return `${where}: ${wordsOfTls(failure, timeouts) ?? ofConnection}`
}

/** Returns why TLS failed, in words, if it was expected and not established. */
function wordsOfTls(failure: Failure, { connectTimeoutMs, timeoutMs }: Timeouts): string | undefined {
  const { tls, error, reached } = failure
  const { message } = error
  if (!tls) return undefined
  if (isHandshakeUnanswered(failure)) {
    const patienceMs = isTimeout(error) ? connectTimeoutMs : timeoutMs
    return `TLS was expected, but the handshake got no reply within ${patienceMs} ms`
  }
  if (NO_TLS.test(message)) return 'TLS was expected, but the server does not speak it'
  return NO_HANDSHAKE.test(message) || (reached === false && isCut(error))
    ? `TLS was expected, but the connection was closed before the handshake was done (${message})`
    : undefined
}

function wordsOfCut({ message }: Error, mayExpectTls: boolean): string {
  const closed = 'the server closed the connection'
  if (!mayExpectTls) return message === CLOSED ? closed : message
  const how = message === CLOSED ? '' : ` (${message})`
  return `${closed}${how}, as one does that expects TLS (rediss://)`
}

function wordsOf({ message }: Error, { timeoutMs }: Timeouts): string {
  if (UNANSWERED.test(message)) return onSocketTimeout(timeoutMs)
  const [, advice] = MISPLACED.find(([words]) => words.test(message)) ?? []
  return advice === undefined ? message : `${message} (${advice})`
}

function isTimeout(error: Error): boolean {
  return 'code' in error && error.code === 'ETIMEDOUT'
}

function isHandshakeUnanswered({ tls, reached, error }: Failure): boolean {
  if (!tls || reached === true) return false
  return isTimeout(error) || (reached === false && UNANSWERED.test(error.message))
}
