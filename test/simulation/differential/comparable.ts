import type { Bytes, Reply } from '../server/reply.js'

/** How far times may be from each other: one server is asked after the other. */
const TOLERANCE_MS = 60_000

const IN_SECONDS = /^(TTL|EXPIRETIME)$/
const IN_MILLISECONDS = /^(PTTL|PEXPIRETIME)$/

/**
 * The reply of the simulated server as it is to be compared with that of a real one. What no client may count on is taken from the real
 * one: the order of a set, or a time that differs only because one server was asked after the other.
 */
export function comparable([word = '']: readonly Bytes[], simulated: Reply, real: Reply): Reply {
  const name = word.toUpperCase()
  if (IN_SECONDS.test(name)) return near(simulated, real, TOLERANCE_MS / 1_000)
  if (IN_MILLISECONDS.test(name)) return near(simulated, real, TOLERANCE_MS)
  if (name === 'OBJECT') return near(simulated, real, TOLERANCE_MS / 1_000)
  if (/^X(ADD|PENDING|INFO)$/.test(name)) return withTimesOf(simulated, real)
  if (name === 'EXEC' && Array.isArray(simulated) && Array.isArray(real))
    return simulated.map((each: Reply, n) => withTimesOf(each, real[n] as Reply))
  if (/^[HSZ]?SCAN$/.test(name) && Array.isArray(simulated) && Array.isArray(real)) {
    const size = /^[HZ]SCAN$/.test(name) ? 2 : 1
    return [simulated[0] as Reply, inOrderOf(simulated[1] as Reply, real[1] as Reply, size)]
  }
  if (name === 'HGETALL') return inOrderOf(simulated, real, 2)
  return /^(SMEMBERS|SRANDMEMBER|SPOP|SUNION|SDIFF|SINTER|KEYS|HKEYS|HVALS|HRANDFIELD|ZRANDMEMBER)$/.test(
    name,
  )
    ? inOrderOf(simulated, real)
    : simulated
}

function near(simulated: Reply, real: Reply, tolerance: number): Reply {
  const areTimes = typeof simulated === 'number' && typeof real === 'number' && simulated >= 0 && real >= 0
  return areTimes && Math.abs(simulated - real) < tolerance ? real : simulated
}

/** Where an entry of a list has an idle time: one of `XPENDING`, and one of `XINFO CONSUMERS`. */
const IDLE_TIMES = [
  { length: 4, place: 2 },
  { length: 6, place: 5 },
] as const

/** A reply about a stream, with the times of the real one if they are near. */
function withTimesOf(simulated: Reply, real: Reply): Reply {
  if (typeof simulated === 'string' && typeof real === 'string') return sameMoment(simulated, real)
  if (!Array.isArray(simulated) || !Array.isArray(real)) return simulated
  return simulated.map((entry: Reply, n) => withIdleTimeOf(entry, real[n] as Reply))
}

function withIdleTimeOf(entry: Reply, other: Reply): Reply {
  if (!Array.isArray(entry) || !Array.isArray(other)) return entry
  const place = IDLE_TIMES.find(({ length }) => length === entry.length)?.place
  if (place === undefined) return entry as Reply
  return entry.with(place, near(entry[place] as Reply, other[place] as Reply, TOLERANCE_MS)) as Reply
}

/** The real id of an entry that was added at about the same time. */
function sameMoment(simulated: Bytes, real: Bytes): Bytes {
  const [one, other] = [Number.parseInt(simulated), Number.parseInt(real)]
  return isOfNow(one) && isOfNow(other) && near(one, other, TOLERANCE_MS) === other ? real : simulated
}

/** Ids that a test gives are those of the first milliseconds of 1970. */
function isOfNow(ms: number): boolean {
  return ms > 1_000_000_000_000 && ms < 10_000_000_000_000
}

/** The real list where the other has the same elements, of `size` words each. */
function inOrderOf(simulated: Reply, real: Reply, size = 1): Reply {
  if (!Array.isArray(simulated) || !Array.isArray(real)) return simulated
  return isSame(elementsOf(simulated, size), elementsOf(real, size)) ? (real as Reply) : simulated
}

function elementsOf(list: readonly Reply[], size: number): readonly string[] {
  const elements = list.flatMap((_, n) => (n % size === 0 ? [JSON.stringify(list.slice(n, n + size))] : []))
  return elements.toSorted()
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, n) => each === other[n])
}
