import { isDeepStrictEqual } from 'node:util'
import { Refusal, type Bytes, type Reply } from '../server/reply.js'
import { realVersion, type RealVersion } from './real-version.js'

type Words = readonly Bytes[]

/** A difference between Redis 7.0, which is simulated, and other versions. */
interface Difference {
  readonly why: string
  readonly isIn: (version: RealVersion) => boolean
  /** The commands, as their words with spaces between. */
  readonly commands: RegExp
}

/** Commands that other versions do not have, or that leave other data there. They are not sent to these versions. */
const COMMANDS: readonly (Difference & { readonly isMeant?: (before: readonly Words[]) => boolean })[] = [
  {
    why: 'came with Redis 7.0',
    isIn: isBefore7,
    commands:
      /^(LCS|SINTERCARD|P?EXPIRETIME|SPUBLISH|P?EXPIRE(AT)? \S* ?\S+ .+|SET .*(NX|GET).* (NX|GET))\b/is,
  },
  {
    why: 'overflows since Redis 7.0',
    isIn: isBefore7,
    commands: /^DECRBY \S* ?-9223372036854775808$/i,
  },
  {
    why: 'removes the key at once since Valkey 8.0',
    isIn: isValkey8,
    commands: /^SET .*(EX|PX)AT 1$/is,
  },
  {
    why: 'makes the transaction fail since Valkey 8.0',
    isIn: isValkey8,
    commands: /^MULTI$/i,
    isMeant: (before) => before.findLastIndex(is(/^multi$/i)) > before.findLastIndex(is(/^(exec|discard)$/i)),
  },
  {
    why: 'removes no expired keys of another type since Redis 8.0 and Valkey 8.0',
    isIn: isSince8,
    commands: /^SCAN .*TYPE/is,
  },
  {
    why: 'keeps other facts of groups since Redis 7.0, and takes numbers of its own',
    isIn: isBefore7,
    commands: /^(X(INFO|SETID|GROUP|READGROUP|ACK|PENDING|CLAIM|AUTOCLAIM) |XADD .*-\*)/is,
  },
  {
    why: 'makes and shows consumers otherwise since Redis 7.2',
    isIn: isSince7_2,
    commands: /^X(INFO|GROUP CREATECONSUMER) /i,
  },
  {
    why: 'reads the last entry since Redis 7.4',
    isIn: isSince7_2,
    commands: /^XREAD .* \+/is,
  },
]

/** Replies that differ. Those of recorded schedules are compared without their commands. */
const REPLIES: readonly (Difference & { readonly isSame: (simulated: Reply, real: Reply) => boolean })[] = [
  {
    why: 'the shortest form of a score since Redis 7.2',
    isIn: isSince7_2,
    commands: /^(Z|EXEC$)/i,
    isSame: (simulated, real) =>
      typeof simulated === 'string' && typeof real === 'string' && Number(simulated) === Number(real),
  },
  {
    why: 'the shortest form of a coordinate since Redis 8.0, which before has 17 digits of a fraction',
    isIn: isSince8,
    commands: /^GEO(POS|SEARCH) /i,
    isSame: (simulated, real) =>
      typeof simulated === 'string' &&
      typeof real === 'string' &&
      Math.abs(Number(simulated) - Number(real)) < 1e-16,
  },
  {
    why: 'another message of an error before Redis 7.0',
    isIn: isBefore7,
    commands: /./s,
    isSame: haveSameCode,
  },
  {
    why: 'another message of an error since Valkey 8.0',
    isIn: isValkey8,
    commands: /^(EVALSHA |EXEC$|FCALL |FUNCTION LOAD |$)/i,
    isSame: haveSameCode,
  },
]

/** Why two replies differ, if the difference is known; undefined if they are the same, or should be. */
export function differenceOf(words: Words, simulated: Reply, real: Reply): string | undefined {
  if (isDeepStrictEqual(simulated, real)) return undefined
  const found = REPLIES.find((each) => applies(each, words) && differ(simulated, real, each.isSame))
  return found?.why
}

/** The commands that the version of the tests has, and that leave the same data there. */
export function commandsOfVersion<T extends Words>(commands: readonly T[]): readonly T[] {
  return commands.filter((words, n) =>
    COMMANDS.every((each) => !applies(each, words) || each.isMeant?.(commands.slice(0, n)) === false),
  )
}

function applies({ isIn, commands }: Difference, words: Words): boolean {
  return isIn(realVersion) && commands.test(words.join(' '))
}

/** Whether two replies are the same but for replies that count as the same. */
function differ(one: Reply, other: Reply, isSame: (one: Reply, other: Reply) => boolean): boolean {
  if (isDeepStrictEqual(one, other) || isSame(one, other)) return true
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((each, n) => differ(each as Reply, other[n] as Reply, isSame))
}

function haveSameCode(one: Reply, other: Reply): boolean {
  return one instanceof Refusal && other instanceof Refusal && codeOf(one) === codeOf(other)
}

function codeOf({ text }: Refusal): string {
  return text.split(' ', 1).join()
}

function is(name: RegExp): (words: Words) => boolean {
  return ([word = '']) => name.test(word)
}

export function isBefore7({ name, number }: RealVersion): boolean {
  return name === 'redis' && number < 7
}

function isSince7_2({ name, number }: RealVersion): boolean {
  return name === 'valkey' || number >= 7.2
}

/** Milestones of Redis 8.0 have the number 7.9. */
function isSince8({ name, number }: RealVersion): boolean {
  return number >= (name === 'valkey' ? 8 : 7.9)
}

export function isValkey8({ name, number }: RealVersion): boolean {
  return name === 'valkey' && number >= 8
}
