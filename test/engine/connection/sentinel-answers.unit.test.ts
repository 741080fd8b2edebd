import { describe, expect, it } from 'vitest'
import { MasterKnowledge, type Answer } from '../../../src/connection/sentinel-answers.js'

const THREE = 3

describe('what a client knows of the master that sentinels name', () => {
  it('is the answer with the highest epoch, whichever came first', () => {
    const answers = [answer('old', 4), answer('new', 5, 'b'), answer('old', 4, 'c')]
    expect(new MasterKnowledge().masterOf(answers)?.host).toBe('new')
    expect(new MasterKnowledge().masterOf(answers.toReversed())?.host).toBe('new')
  })

  it('is the first answer where none has an epoch', () => {
    expect(new MasterKnowledge().masterOf([answer('first', 0), answer('second', 0, 'b')])?.host).toBe('first')
  })

  it('is not replaced by older answers while a sentinel does not answer', () => {
    const known = new MasterKnowledge()
    known.masterOf([answer('new', 5)])
    expect(known.masterOf([answer('old', 4), answer('old', 4, 'b')])?.host).toBe('new')
    expect(known.learn(answer('old', 4))).toBe(false)
    expect(known.masterOf([])?.host).toBe('new')
  })

  it('is not replaced because one sentinel has answered at two addresses', () => {
    const known = new MasterKnowledge()
    known.masterOf([answer('new', 5)])
    const thrice = [answer('old', 4), answer('old', 4), answer('old', 4)]
    expect(known.masterOf(thrice)?.host).toBe('new')
  })

  it('starts anew where all sentinels answer, and none knows of a failover that was seen', () => {
    const known = new MasterKnowledge()
    known.masterOf([answer('former', 5)])
    const all = [answer('present', 1), answer('present', 1, 'b'), answer('present', 1, 'c')]
    expect(known.masterOf(all)?.host).toBe('present')
    expect(known.learn(answer('next', 2))).toBe(true)
  })

  it('follows an address that changes without a failover', () => {
    const known = new MasterKnowledge()
    known.masterOf([answer('before', 5)])
    expect(known.masterOf([answer('after', 5)])?.host).toBe('after')
  })

  it('has replicas of the present master only', () => {
    const known = new MasterKnowledge()
    known.masterOf([answer('new', 5)])
    expect(known.replicaOf([answer('of the old one', 4)])).toBeUndefined()
    expect(known.replicaOf([answer('of the old one', 4), answer('of the new one', 5)])?.host).toBe(
      'of the new one',
    )
  })
})

function answer(host: string, epoch: number, from = 'a'): Answer {
  return { place: { host, port: 6379 }, epoch, sentinels: THREE, from }
}
