import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { consumerSettings } from '../../../src/streams/stream/consumer/consumer-settings.js'
import type { GroupRequests } from '../../../src/streams/stream/consumer/group-requests.js'
import { Intake } from '../../../src/streams/stream/consumer/intake.js'
import type { StreamWaits } from '../../../src/streams/stream/stream-waits.js'

const CLAIM_IDLE_MS = 100

describe('a consumer of a stream', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** An intake of one message, where each reply about messages takes as long as it takes until others claim them. */
  const intakeOf = (key: string) => {
    const requests = {
      key,
      isFull: false,
      takeIdle: () => Promise.resolve({ next: '0-0', deliveries: [], dead: [] }),
      readNew: () => sleep(CLAIM_IDLE_MS, [{ id: '1-0', fields: [] }]),
      keep: () => sleep(CLAIM_IDLE_MS, []),
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
