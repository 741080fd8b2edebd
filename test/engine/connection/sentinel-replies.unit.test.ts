import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MasterKnowledge, type SentinelReply } from '../../../src/connection/master/sentinel-replies.js'

const reply = (host: string, epoch: number): SentinelReply => ({ place: { host, port: 6379 }, epoch })

describe('what a client knows of the master that sentinels name', () => {
  let known: MasterKnowledge
  const hostOf = (...replies: SentinelReply[]) => known.newestOf(replies)?.place.host

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    known = new MasterKnowledge()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('is the reply with the highest epoch, whichever came first', () => {
    expect(hostOf(reply('old', 4), reply('new', 5), reply('old', 4))).toBe('new')
    known = new MasterKnowledge()
    expect(hostOf(reply('new', 5), reply('old', 4))).toBe('new')
  })

  it('is the first reply where none has an epoch', () => {
    expect(hostOf(reply('first', 0), reply('second', 0))).toBe('first')
    expect(hostOf(reply('second', 0), reply('first', 0))).toBe('second')
  })

  it('is not replaced by older replies, nor by that of a sentinel that has lost its state', () => {
    expect(hostOf(reply('new', 5))).toBe('new')
    expect(hostOf(reply('old', 4), reply('old', 4), reply('lost', 0))).toBe('new')
    known.learn(reply('old', 4))
    expect(hostOf()).toBe('new')
  })

  it('starts anew once nothing has confirmed it for a minute', () => {
    expect(hostOf(reply('former', 5))).toBe('former')
    vi.advanceTimersByTime(40_000)
    known.learn(reply('former', 5))
    vi.advanceTimersByTime(40_000)
    expect(hostOf(reply('present', 1))).toBe('former')
    vi.advanceTimersByTime(21_000)
    expect(hostOf(reply('present', 1))).toBe('present')
    expect(hostOf(reply('next', 2))).toBe('next')
  })

  it('follows an address that changes without a failover', () => {
    expect(hostOf(reply('before', 5))).toBe('before')
    expect(hostOf(reply('after', 5))).toBe('after')
  })

  it('reaches all connections, whichever of them has learned of a later failover', () => {
    const followers = [vi.fn(), vi.fn()]
    const [stop] = followers.map((each) => known.follow(each))
    const chosen = known.newestOf([reply('old', 4)]) as SentinelReply
    known.learn(reply('new', 5))
    known.learn(reply('new', 5))
    for (const each of followers) expect(each).toHaveBeenCalledOnce()
    expect(known.isReplaced(chosen)).toBe(true)
    expect(known.isReplaced(reply('new', 5))).toBe(false)
    stop?.()
    known.learn(reply('newer', 6))
    expect(followers.map((each) => each.mock.calls.length)).toEqual([1, 2])
  })

  it('has replicas of the present master only', () => {
    known.learn(reply('new', 5))
    expect(known.replicaOf([reply('of the old one', 4)])).toBeUndefined()
    expect(known.replicaOf([reply('of the old one', 4), reply('of the new one', 5)])?.host).toBe(
      'of the new one',
    )
    vi.advanceTimersByTime(61_000)
    expect(known.replicaOf([reply('of another', 1)])?.host).toBe('of another')
  })
})
