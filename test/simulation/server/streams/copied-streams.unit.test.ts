import { describe, expect, it } from 'vitest'
import type { Bytes, Reply } from '../reply.js'
import { Server } from '../server.js'

type Words = readonly Bytes[]

/** Each of them changes something. */
const COMMANDS: readonly Words[] = [
  ['XADD', 'k', '1-1', 'f', '\x00\xff'],
  ['XADD', 'k', '1-2', 'f', 'v', 'g', 'w'],
  ['XADD', 'k', '9223372036854775807-18446744073709551614', 'f', 'v'],
  ['XGROUP', 'CREATE', 'k', 'g', '0'],
  ['XGROUP', 'CREATE', 'k', 'h', '1-1', 'ENTRIESREAD', '9223372036854775807'],
  ['XGROUP', 'CREATECONSUMER', 'k', 'g', 'idle'],
  ['XREADGROUP', 'GROUP', 'g', 'one', 'STREAMS', 'k', '>'],
  ['XREADGROUP', 'GROUP', 'g', 'one', 'STREAMS', 'k', '0'],
  ['XREADGROUP', 'GROUP', 'h', 'one', 'NOACK', 'STREAMS', 'k', '>'],
  ['XCLAIM', 'k', 'g', 'two', '0', '1-1', 'IDLE', '5000'],
  ['XAUTOCLAIM', 'k', 'g', 'one', '0', '-', 'COUNT', '1'],
  ['XCLAIM', 'k', 'h', 'three', '0', '1-1', 'FORCE', 'JUSTID'],
  ['XCLAIM', 'k', 'h', 'three', '0', '5-1', 'LASTID', '9223372036854775808-1'],
  ['XACK', 'k', 'g', '1-1'],
  ['XDEL', 'k', '1-2'],
  ['XCLAIM', 'k', 'g', 'two', '0', '1-2'],
  ['XTRIM', 'k', 'MAXLEN', '1'],
  ['XSETID', 'k', '9223372036854775807-18446744073709551615', 'ENTRIESADDED', '7'],
  ['XGROUP', 'SETID', 'k', 'g', '$'],
  ['XGROUP', 'DELCONSUMER', 'k', 'g', 'one'],
  ['XGROUP', 'DESTROY', 'k', 'h'],
  ['XTRIM', 'k', 'MAXLEN', '0'],
]

/** What there is to see of a stream. */
const LOOKS: readonly Words[] = [
  ['XRANGE', 'k', '-', '+'],
  ['XINFO', 'STREAM', 'k'],
  ['XINFO', 'GROUPS', 'k'],
  ...['g', 'h'].flatMap((group) => [
    ['XINFO', 'CONSUMERS', 'k', group],
    ['XPENDING', 'k', group, '-', '+', '10'],
  ]),
]

describe('a stream of the simulated server', () => {
  it('is at a replica what it is at the master, after each command', () => {
    const [master, replica] = [newServer(), newServer()]
    master.server.onChange = (change) => {
      replica.server.replicate(change)
    }
    for (const words of COMMANDS) {
      const before = looksOf(replica)
      master.run(words)
      expect(looksOf(replica), words.join(' ')).toEqual(looksOf(master))
      expect(looksOf(replica), words.join(' ')).not.toEqual(before)
    }
  })

  it('is the same where it is copied, or dumped and restored', () => {
    const one = newServer()
    for (const words of COMMANDS) {
      one.run(words)
      const looks = looksOf(one)
      const dump = one.run(['DUMP', 'k']) as Bytes
      one.run(['COPY', 'k', 'copy'])
      one.run(['RENAME', 'copy', 'k'])
      expect(looksOf(one), words.join(' ')).toEqual(looks)
      one.run(['RESTORE', 'k', '0', dump, 'REPLACE'])
      expect(looksOf(one), words.join(' ')).toEqual(looks)
    }
  })
})

interface Running {
  readonly server: Server
  readonly run: (words: Words) => Reply
}

function newServer(): Running {
  const server = new Server({ now: () => 1_000_000, draw: () => 0 })
  const session = server.connect({ write: () => undefined, close: () => undefined })
  return { server, run: (words) => server.execute(session, words) }
}

function looksOf({ run }: Running): readonly Reply[] {
  return LOOKS.map(run)
}
