import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { sentinel } from '../../support/topologies.js'
import type { Bytes, Reply } from '../server/reply.js'
import type { Endpoint } from '../server/sentinel.js'
import { Server } from '../server/server.js'
import { RawClient } from './raw-client.js'
import { skipOtherVersions } from './real-version.js'
import { SimulatedClient } from './simulated-client.js'

describe('a simulated sentinel and a real one', () => {
  const { masterName } = sentinel
  let real: RawClient

  noLeaks(sentinel)

  beforeEach(async () => {
    real = await RawClient.connect(sentinel.sentinels[0] as (typeof sentinel.sentinels)[number])
  })

  afterEach(() => real.close())

  it('tell the same of a master, its replicas and the other sentinels', async (context) => {
    skipOtherVersions(context, 'these replies')
    const [host, port] = (await real.command(...GET_MASTER, masterName)) as [Bytes, Bytes]
    const replicas = endpointsIn(await real.command('SENTINEL', 'REPLICAS', masterName))
    const sentinels = endpointsIn(await real.command('SENTINEL', 'SENTINELS', masterName))
    const server = new Server({ now: Date.now, draw: () => 0 })
    const about = (await real.command('SENTINEL', 'MASTER', masterName)) as readonly Reply[]
    const epoch = Number(valueIn(about, 'config-epoch'))
    server.watch = { masterName, master: { host, port: Number(port) }, replicas, sentinels, epoch }
    const client = new SimulatedClient(server)
    for (const words of REQUESTS(masterName)) {
      client.send(words)
      const [expected, actual] = [await real.command(...words), client.received.at(-1)]
      expect(factsOf(actual), words.join(' ')).toEqual(factsOf(expected))
    }
  })
})

const GET_MASTER = ['SENTINEL', 'get-master-addr-by-name'] as const

const REQUESTS = (name: Bytes): readonly (readonly Bytes[])[] => [
  [...GET_MASTER, name],
  [...GET_MASTER, 'another'],
  ['SENTINEL', 'master', name],
  ['SENTINEL', 'master', 'another'],
  ['SENTINEL', 'sentinels', name],
  ['SENTINEL', 'sentinels', 'another'],
  ['SENTINEL', 'replicas', name],
  ['SENTINEL', 'slaves', name],
  ['SENTINEL', 'slaves', 'another'],
  ['SUBSCRIBE', '+switch-master'],
]

const READ = ['ip', 'port', 'flags', 'num-other-sentinels', 'config-epoch']

/** What clients read of servers that are listed, or of one. */
function factsOf(reply: Reply | undefined): unknown {
  if (!Array.isArray(reply)) return reply
  if (reply.every(Array.isArray)) return reply.map((words) => READ.map((name) => valueIn(words, name)))
  return reply.includes('flags') ? READ.map((name) => valueIn(reply, name)) : reply
}

function endpointsIn(reply: Reply): readonly Endpoint[] {
  return (reply as readonly (readonly Reply[])[]).map((words) => ({
    host: valueIn(words, 'ip') as Bytes,
    port: Number(valueIn(words, 'port')),
  }))
}

function valueIn(words: readonly Reply[], name: Bytes): Reply | undefined {
  return words[words.indexOf(name) + 1]
}
