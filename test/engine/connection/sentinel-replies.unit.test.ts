import { describe, expect, it } from 'vitest'
import { MasterKnowledge, type SentinelReply } from '../../../src/connection/sentinel-replies.js'

const THREE = 3

describe('what a client knows of the master that sentinels name', () => {
  it('is the reply with the highest epoch, whichever came first', () => {
    const replies = [reply('old', 4), reply('new', 5, 'b'), reply('old', 4, 'c')]
    expect(new MasterKnowledge().masterOf(replies)?.host).toBe('new')
    expect(new MasterKnowledge().masterOf(replies.toReversed())?.host).toBe('new')
  })

  it('is the first reply where none has an epoch', () => {
    expect(new MasterKnowledge().masterOf([reply('first', 0), reply('second', 0, 'b')])?.host).toBe('first')
  })

  it('is not replaced by older replies while a sentinel does not reply', () => {
    const known = new MasterKnowledge()
    known.masterOf([reply('new', 5)])
    expect(known.masterOf([reply('old', 4), reply('old', 4, 'b')])?.host).toBe('new')
    expect(known.learn(reply('old', 4))).toBe(false)
    expect(known.masterOf([])?.host).toBe('new')
  })

  it('is not replaced because one sentinel has replied at two addresses', () => {
    const known = new MasterKnowledge()
    known.masterOf([reply('new', 5)])
    const thrice = [reply('old', 4), reply('old', 4), reply('old', 4)]
    expect(known.masterOf(thrice)?.host).toBe('new')
  })

  it('starts anew where all sentinels reply, and none knows of a failover that was seen', () => {
    const known = new MasterKnowledge()
    known.masterOf([reply('former', 5)])
    const all = [reply('present', 1), reply('present', 1, 'b'), reply('present', 1, 'c')]
    expect(known.masterOf(all)?.host).toBe('present')
    expect(known.learn(reply('next', 2))).toBe(true)
  })

  it('follows an address that changes without a failover', () => {
    const known = new MasterKnowledge()
    known.masterOf([reply('before', 5)])
    expect(known.masterOf([reply('after', 5)])?.host).toBe('after')
  })

  it('has replicas of the present master only', () => {
    const known = new MasterKnowledge()
    known.masterOf([reply('new', 5)])
    expect(known.replicaOf([reply('of the old one', 4)])).toBeUndefined()
    expect(known.replicaOf([reply('of the old one', 4), reply('of the new one', 5)])?.host).toBe(
      'of the new one',
    )
  })
})

function reply(host: string, epoch: number, from = 'a'): SentinelReply {
  return { place: { host, port: 6379 }, epoch, sentinels: THREE, from }
}
