import { describe, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import { ownerOf } from './ask-owner.js'
import { strike, type Fault } from './faults.js'
import { NodeConnection } from './launch/node-connection.js'
import { noLeaks } from './no-leaks.js'
import { proxied } from './proxied.js'
import { cluster } from './topologies.js'

const SOURCE = "return redis.call('exists', KEYS[1])"
const SHA = createHash('sha1').update(SOURCE).digest('hex')

const CUT: Fault = ['is answered, and the answer cut off', 'reply', (passing) => passing.cut()]

describe('a fault that lies in wait at every node', () => {
  noLeaks(cluster)

  it('strikes the node that runs the script, although it has redirected another request before', async () => {
    await using door = await proxied(cluster)
    const owner = await ownerOf(cluster, 'mine')
    const foreign = await keyOfAnother('mine')
    await owner.command('SCRIPT', 'LOAD', SOURCE)
    const connection = new NodeConnection(door.proxyOf(owner))
    const { struck } = strike(door.proxies, SHA, CUT)
    await expect(connection.command('EVALSHA', SHA, 1, foreign)).rejects.toThrow('MOVED')
    await expect(connection.command('EVALSHA', SHA, 1, 'mine')).rejects.toThrow('did not answer')
    await struck
    await expect(connection.command('EVALSHA', SHA, 1, 'mine')).resolves.toBe(0)
    connection.close()
  })
})

/** A key that another node owns. */
async function keyOfAnother(key: string): Promise<string> {
  const owner = await ownerOf(cluster, key)
  for (let number = 0; ; number += 1) {
    const other = `other-${String(number)}`
    if ((await ownerOf(cluster, other)) !== owner) return other
  }
}
