import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { sentinel } from '../../support/topologies.js'
import type { Bytes, Reply } from '../server/reply.js'
import { Server } from '../server/server.js'
import { RawClient } from './raw-client.js'
import { skipOtherVersions } from './real-version.js'
import { SimulatedClient } from './simulated-client.js'

/** The lines of `INFO` that clients read. */
const LINES = /^(role|master_host|master_port|master_link_status|master_sync_in_progress|connected_slaves):/

describe('a simulated server with replicas and a real one', () => {
  let master: RawClient
  let replica: RawClient
  let replicas: readonly { readonly host: Bytes; readonly port: number }[]

  noLeaks(sentinel)

  beforeEach(async () => {
    const all = await Promise.all(sentinel.nodes.map((node) => RawClient.connect(node)))
    const roles = await Promise.all(all.map((client) => client.command('ROLE')))
    const at = roles.findIndex((role) => (role as readonly Reply[])[0] === 'master')
    const other = all.findIndex((_, n) => n !== at)
    master = all[at] as RawClient
    replica = all[other] as RawClient
    replicas = ((roles[at] as readonly Reply[])[2] as readonly [Bytes, Bytes, Bytes][]).map(
      ([host, port]) => ({
        host,
        port: Number(port),
      }),
    )
    await Promise.all(
      all.filter((client) => client !== master && client !== replica).map((each) => each.close()),
    )
  })

  afterEach(async () => {
    await master.close()
    await replica.close()
  })

  it('reply the same to a client that waits for replicas', async (context) => {
    skipOtherVersions(context, 'these replies')
    const count = String(replicas.length)
    const requests: readonly (readonly Bytes[])[] = [
      ['SET', 'k', 'v'],
      ['WAIT', count, '0'],
      ['WAIT', '1', 'x'],
      ['WAIT', 'x', '1'],
      ['WAIT', '1', '-1'],
      ['DEL', 'k'],
      ['WAIT', count, '0'],
    ]
    const server = newMaster(replicas)
    const client = new SimulatedClient(server)
    for (const words of requests) client.send(words)
    expect(client.received).toEqual(await master.send(requests))
  })

  it('say the same of their roles', async (context) => {
    skipOtherVersions(context, 'these replies')
    const info = ['INFO', 'replication'] as const
    expect(linesOf(newMaster(replicas).info)).toEqual(linesOf((await master.command(...info)) as Bytes))
    const [, host, port, state] = (await replica.command('ROLE')) as [Bytes, Bytes, number, Bytes]
    const server = newMaster([])
    server.replica = { masterHost: host, masterPort: port, isUp: true }
    expect(linesOf(server.info)).toEqual(linesOf((await replica.command(...info)) as Bytes))
    const client = new SimulatedClient(server)
    for (const words of [
      ['SET', 'k', 'v'],
      ['WAIT', '1', '1'],
    ])
      client.send(words)
    expect(client.received).toEqual([
      await replica.command('SET', 'k', 'v'),
      await replica.command('WAIT', '1', '1'),
    ])
    client.send(['ROLE'])
    expect((client.received.at(-1) as readonly Reply[]).slice(0, 4)).toEqual(['slave', host, port, state])
  })
})

/** A server whose replicas have confirmed all that it will ever write. Times pass at once. */
function newMaster(replicas: readonly { readonly host: Bytes; readonly port: number }[]): Server {
  const after = (_: number, run: () => void) => {
    queueMicrotask(run)
    return () => undefined
  }
  const server = new Server({ now: Date.now, draw: () => 0, after })
  for (const each of replicas) server.replicas.push({ ...each, offset: Infinity })
  return server
}

function linesOf(info: Bytes): readonly Bytes[] {
  return info.split('\r\n').filter((line) => LINES.test(line))
}
