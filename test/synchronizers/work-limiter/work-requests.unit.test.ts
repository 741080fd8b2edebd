import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LockContext } from '../../../src/core/context/object-context.js'
import { settingsOf, requestOf } from '../../../src/synchronizers/work-limiter/settings.js'
import { WaitingWork, WaitingWorks } from '../../../src/synchronizers/work-limiter/waiting-work.js'
import { WorkRequests } from '../../../src/synchronizers/work-limiter/work-requests.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import type { Compensations } from '../../../src/waiting/compensations.js'

const LEASE_MS = 300

/** Requests whose replies come that late. */
function late(key: string, lateMs: number) {
  const given: unknown[] = []
  const aheads: number[] = []
  const ahead = {
    runTimed: (_: unknown, { args }: { readonly args: { readonly aheadMs: number } }) => {
      aheads.push(args.aheadMs)
      return Promise.resolve({ result: [0, 0, 0], sentAt: performance.now() - lateMs })
    },
    run: (_: unknown, { args }: { readonly args: unknown }) => {
      given.push(args)
      return Promise.resolve([1, 0])
    },
  }
  const context = {
    ahead,
    config: { lockWatchdogTimeoutMs: LEASE_MS },
    closing: new AbortController().signal,
    requestIds: { next: () => 'r' },
  }
  const compensations = {
    acquireOrCompensate: ({ answer }: { readonly answer: Promise<unknown> }) => answer,
    compensate: (work: () => Promise<unknown>) => void work(),
  }
  const requests = new WorkRequests(
    context as unknown as LockContext,
    key,
    compensations as unknown as Compensations,
  )
  return { requests, given, aheads }
}

describe('a request of a work limiter', () => {
  const warnings: (Error & { readonly code?: string })[] = []
  const note = (warning: Error) => warnings.push(warning)
  beforeAll(() => {
    process.on('warning', note)
  })
  afterAll(() => {
    process.off('warning', note)
  })
  const settings = settingsOf({ concurrency: 10 })
  const work = requestOf(settings, {}, undefined)
  const brief = () => requestOf(settings, { waitMs: 20 }, undefined)

  it('warns once that its replies take longer than a lease, and gives each place back', async () => {
    const { requests, given } = late('slow', LEASE_MS)
    for (let times = 1; times <= 2; times += 1) {
      expect(await requests.askOnce(work)).toMatchObject({ granted: [] })
      await vi.waitFor(() => {
        expect(given).toHaveLength(times)
      })
    }
    await vi.waitFor(() => {
      expect(warnings).toMatchObject([
        { code: 'REDISSON_SHORT_LEASE', message: expect.stringMatching(/slow.*300 ms/) as string },
      ])
    })
  })

  it('reserves no further ahead than its first function waits, and nothing for one that does not', async () => {
    const { requests, aheads } = late('ahead', 0)
    await requests.ask([work], 'w', { enters: 1 })
    await requests.ask([brief(), work], 'w', { enters: 1 })
    await requests.askOnce(work)
    const [patient, least, none] = aheads
    expect([patient, none]).toEqual([LEASE_MS / 4, 0])
    expect(least).toBeLessThanOrEqual(20)
  })

  it('is not made for a function that waits for a short time together with others before it', () => {
    const works = new WaitingWorks()
    for (const each of [work, work, brief(), work]) works.add(new WaitingWork(each))
    const numbers = works.together().map(({ number }) => number)
    expect(numbers).toEqual([1, 2])
  })

  it('gives back what is given up in one turn of the event loop together, the last first', async () => {
    const { requests, given } = late('unused', 0)
    const granted = [0, 100, 50].map((inMs, index) => ({
      id: `r${String(index)}`,
      first: 1,
      count: 1,
      leaseFrom: inMs,
      due: Deadline.after(inMs),
    }))
    for (const each of granted) requests.giveBackUnused([each], settings)
    await vi.waitFor(() => {
      expect(given).toMatchObject([{ id: 'r1' }, { id: 'r2' }, { id: 'r0' }])
    })
  })

  it('has what comes in time', async () => {
    const { requests, given } = late('fast', 0)
    expect(await requests.askOnce(work)).toMatchObject({ granted: [{ id: 'r', first: 1, count: 1 }] })
    expect(given).toEqual([])
  })
})
