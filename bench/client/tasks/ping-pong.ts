import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { measure, nowMs, type CountedSample } from '../measure.js'
import { actions } from './inside.js'
import { takeOf, type Stand, type Talk } from './stand.js'

export interface PingPongTask {
  readonly name: string
  readonly rounds: number
  readonly limitMs: number
  /** How long each holds it, so that the other one waits when it is given back. */
  readonly holdMs: number
}

export interface PingPongSample extends CountedSample {
  readonly holds: readonly Hold[]
  /** How long PING takes where, as in a hand-over, the process was idle for as long as the lock is held. */
  readonly roundTripMs: number
}

/** When a lock was asked for, had, and given back; the last is when that was asked for. */
export interface Hold {
  readonly askedAtMs: number
  readonly hadAtMs: number
  readonly returnedAtMs: number
}

/** Takes a lock in turn with one other process: tries again when the other one has had it. */
export async function pingPong(
  stand: Stand,
  task: PingPongTask,
  { tell, hear }: Talk,
): Promise<PingPongSample> {
  const { name, rounds, limitMs, holdMs } = task
  const take = takeOf(stand, 'lock')
  const roundTripMs = await roundTrip(stand.redis, holdMs)
  const holds: Hold[] = []
  const sample = await measure(async ({ waitsMs }) => {
    const count = actions.count(stand.redis)
    const endsAtMs = nowMs() + limitMs
    let otherHadAtMs = 0
    for (let round = 0; round < rounds && nowMs() < endsAtMs && otherHadAtMs < FOR_GOOD; round += 1) {
      const askedAtMs = nowMs()
      const release = await take(name)
      const hadAtMs = nowMs()
      tell('had', { hadAtMs })
      waitsMs.push(hadAtMs - askedAtMs)
      await count()
      await sleep(holdMs)
      const returnedAtMs = nowMs()
      holds.push({ askedAtMs, hadAtMs, returnedAtMs })
      await release()
      do otherHadAtMs = Number((await hear('other-had'))['hadAtMs'])
      while (otherHadAtMs < returnedAtMs) // that was the time before
    }
    tell('had', { hadAtMs: FOR_GOOD })
  })
  return { ...sample, holds, roundTripMs }
}

/** What a process tells when it asks no more. */
const FOR_GOOD = Number.MAX_SAFE_INTEGER

const PINGS = 100

async function roundTrip(redis: Redis, pauseMs: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < PINGS; n += 1) {
    await sleep(pauseMs)
    const sentAtMs = nowMs()
    await redis.ping()
    times.push(nowMs() - sentAtMs)
  }
  return times.sort((a, b) => a - b)[PINGS / 2] ?? NaN
}
