import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { consumerSettings } from '../../../src/streams/stream/consumer/consumer-settings.js'
import type { GroupRequests } from '../../../src/streams/stream/consumer/group-requests.js'
import { Intake } from '../../../src/streams/stream/consumer/intake.js'
import type { StreamWaits } from '../../../src/streams/stream/stream-waits.js'

const CLAIM_IDLE_MS = 100

describe('a consumer of a stream', () => {
  let now = 0
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const later = <T>(reply: T): Promise<T> => {
    now += CLAIM_IDLE_MS
    return Promise.resolve(reply)
  }

  /** An intake of one message, where each reply about messages takes as long as it takes until others claim them. */
  const intakeOf = (key: string) => {
    const requests = {
      key,
      isFull: false,
      takeIdle: () => Promise.resolve({ next: '0-0', deliveries: [], dead: [] }),
      readNew: () => later([{ id: '1-0', fields: [] }]),
      keep: () => later([]),
      giveBack: () => Promise.resolve(),
      leave: () => Promise.resolve(),
    } as unknown as GroupRequests
    return new Intake({
      settings: consumerSettings('g', { claimIdleMs: CLAIM_IDLE_MS }, { key, keyInSlot: (name) => name }),
      reasonOf: () => [],
      waits: {} as unknown as StreamWaits,
      line: key,
      failFast: false,
      ends: [],
      client: new AbortController().signal,
      requestsOf: () => requests,
    })
  }

  it('warns once that it hands out nothing, where replies take longer than others wait to claim', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const intake = intakeOf('slow-stream')
    await intake.fill()
    expect(intake.next()).toBeUndefined()
    expect(warn).not.toHaveBeenCalled() // one reply may be late
    await intake.fill()
    expect(intake.next()).toBeUndefined()
    await intake.fill()
    await intake.close()
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/stream slow-stream hands out no message.* it is 100 ms\. Set claimIdleMs/),
      { code: 'REDISSON_SLOW_CLAIMS' },
    )
  })
})
