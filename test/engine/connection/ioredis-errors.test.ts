import { describe, expect, it } from 'vitest'
import { isFinalRefusal, saysReplica, translateReply } from '../../../src/connection/login/ioredis-errors.js'

/** What a server answers, as ioredis says it. */
function reply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' })
}

const inAScript = 'script: 295a1d72ffc0a546dc668da5954250cdb2dec2e3, on @user_script:1.'

describe('what a server says', () => {
  it.each([
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica.",
    `READONLY You can't write against a read only replica. ${inAScript}`,
    'CLUSTERDOWN The cluster is down',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'NOREPLICAS Not enough good replicas to write.',
    "OOM command not allowed when used memory > 'maxmemory'.",
    `OOM command not allowed when used memory > 'maxmemory'. ${inAScript}`,
    "ERR Error running script (call to f_295a1d72): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
    'EXECABORT Transaction discarded because of: BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    "EXECABORT Transaction discarded because of: OOM command not allowed when used memory > 'maxmemory'.",
    "EXECABORT Transaction discarded because of: READONLY You can't write against a read only replica.",
    'MISCONF Errors writing to the AOF file: No space left on device',
    "ERR Error running script (call to f_295a1d72): @user_script:12: @user_script: 12: -MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
  ])('while it is not ready is known as such: %s', (words) => {
    const error = translateReply(reply(words), 'evalsha', 'localhost:6379')
    expect(error).toMatchObject({ code: 'SERVER_NOT_READY', message: `Redis is not ready: ${words}` })
  })

  it.each([
    'ERR unknown command',
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR Error running script (call to f_295a1d72): @user_script:1: user_script:1: attempt to index a nil value',
    'ERR the word OOM is not what it begins with',
    'OOMPH',
    'EXECABORT Transaction discarded because of previous errors.',
  ])('otherwise is an error of the command: %s', (words) => {
    expect(translateReply(reply(words), 'evalsha', 'localhost:6379')).toMatchObject({ code: 'COMMAND' })
  })

  it('of a replica that should write is known as such, in a transaction too', () => {
    const words = "READONLY You can't write against a read only replica."
    expect(saysReplica(reply(words))).toBe(true)
    expect(saysReplica(reply(`EXECABORT Transaction discarded because of: ${words}`))).toBe(true)
    expect(saysReplica(reply('EXECABORT Transaction discarded because of: LOADING Redis is loading'))).toBe(
      false,
    )
  })

  it('that will be the same the next time is known as such', () => {
    expect(isFinalRefusal(reply('NOPERM this user has no permissions'))).toBe(true)
    expect(isFinalRefusal(reply('NOAUTH Authentication required.'))).toBe(true)
    expect(isFinalRefusal(reply("ERR unknown command 'ssubscribe'"))).toBe(true)
    expect(isFinalRefusal(reply('BUSY Redis is busy running a script.'))).toBe(false)
  })
})
