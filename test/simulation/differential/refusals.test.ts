import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { Refusal, type Bytes, type Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { RawClient } from './raw-client.js'

import { skipOtherVersions } from './real-version.js'
import { SimulatedClient } from './simulated-client.js'

type Words = readonly Bytes[]

/** What a client may send as it connects, and afterwards. */
const REQUESTS: readonly Words[] = [
  ['AUTH', 'app', 'wrong'],
  ['AUTH', 'app', 'secret'],
  ['SELECT', '5'],
  ['CLIENT', 'SETNAME', 'a'],
  ['CLIENT', 'GETNAME'],
  ['CLIENT', 'SETINFO', 'LIB-NAME', 'ioredis'],
  ['CLIENT', 'NOSUCH'],
  ['READONLY'],
  ['PING'],
  ['SET', 'k', 'v'],
  ['GET', 'k'],
  ['ECHO', 'x'],
  ['XGROUP', 'CREATE', 'stream', 'g', '$', 'MKSTREAM'],
  ['XGROUP', 'DESTROY', 'stream', 'g'],
  ['XGROUP', 'NOSUCH'],
  ['XINFO', 'STREAM'],
  ['XINFO', 'GROUPS', 'stream'],
  ['SELECT', '16'],
  ['SELECT', '-1'],
  ['SELECT', 'x'],
  ['SCRIPT', 'EXISTS', 'x'],
  ['EVAL', "return redis.call('select', 3)", '0'],
  ['MULTI'],
  ['GET', 'k'],
  ['SELECT', '3'],
  ['EXEC'],
  ['EXEC'],
  ['SUBSCRIBE', 'c'],
]

/** Commands that a user may not call. */
const FORBIDDEN: readonly Words[] = [
  ['select'],
  ['client|setname'],
  ['client'],
  ['readonly', 'ping'],
  ['auth', 'hello'],
  ['multi', 'exec'],
  ['get', 'eval'],
  ['xgroup|create', 'xinfo'],
]

describe('what the simulated server and a real one refuse', () => {
  let real: RawClient

  noLeaks(single)

  beforeAll(async () => {
    real = await RawClient.connect(single.nodes[0])
  })

  afterAll(() => real.close())

  it.for(FORBIDDEN)('is the same for a user who may not call %s', async (forbidden, context) => {
    skipOtherVersions(context, 'these replies')
    const rules = forbidden.map((name) => `-${name}`)
    await real.command('ACL', 'SETUSER', 'app', 'reset', 'on', '>secret', '~*', '&*', '+@all', ...rules)
    const server = newServer()
    server.addUser({
      name: 'app',
      password: 'secret',
      may: (name) => !forbidden.includes(name),
      mayHear: () => true,
    })
    const replies = await realReplies(REQUESTS)
    await real.send([['ACL', 'DELUSER', 'app'], ['FLUSHALL']])
    expect(repliesOf(server, REQUESTS)).toEqual(replies)
  })

  it('is the same while a long script runs', async (context) => {
    skipOtherVersions(context, 'these replies')
    const [, limit = ''] = (await real.command('CONFIG', 'GET', 'lua-time-limit')) as Words
    await real.command('CONFIG', 'SET', 'lua-time-limit', '1')
    const script = await RawClient.connect(single.nodes[0])
    script.write(['EVAL', 'while true do end', '0'])
    while (!(await isBusy(real))) continue
    const server = newServer()
    server.trouble = 'busy'
    const requests: readonly Words[] = [['HELLO', '4'], ...REQUESTS]
    try {
      expect(repliesOf(server, requests)).toEqual(await realReplies(requests))
    } finally {
      await real.command('SCRIPT', 'KILL')
      await script.untilReceived(1)
      await script.close()
      await real.command('CONFIG', 'SET', 'lua-time-limit', limit)
    }
  })
})

function newServer(): Server {
  return new Server({ now: Date.now, draw: () => 0 })
}

function repliesOf(server: Server, requests: readonly Words[]): readonly Reply[] {
  const client = new SimulatedClient(server)
  for (const words of requests) client.send(words)
  return client.received
}

async function realReplies(requests: readonly Words[]): Promise<readonly Reply[]> {
  const client = await RawClient.connect(single.nodes[0])
  const replies: Reply[] = []
  for (const words of requests) replies.push(await client.command(...words))
  await client.close()
  return replies
}

async function isBusy(client: RawClient): Promise<boolean> {
  const reply = await client.command('PING')
  return reply instanceof Refusal && reply.text.startsWith('BUSY')
}
