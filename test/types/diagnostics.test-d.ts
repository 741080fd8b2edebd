import { describe, expectTypeOf, it } from 'vitest'
import type {
  AcquireTrace,
  HoldTrace,
  LockLossReason,
  RequestTrace,
  SubscriptionTrace,
} from '../../src/index.js'

describe('the types of diagnostics', () => {
  it('say how each thing may end', () => {
    expectTypeOf<RequestTrace['outcome']>().toEqualTypeOf<'answered' | 'failed' | 'unknown' | undefined>()
    expectTypeOf<AcquireTrace['outcome']>().toEqualTypeOf<
      'acquired' | 'refused' | 'aborted' | 'failed' | undefined
    >()
    expectTypeOf<HoldTrace['outcome']>().toEqualTypeOf<'released' | LockLossReason | undefined>()
    expectTypeOf<SubscriptionTrace['outcome']>().toEqualTypeOf<'ended' | 'failed' | 'lost' | undefined>()
  })

  it('have nothing that a subscriber could change', () => {
    const change = (trace: HoldTrace) => {
      // @ts-expect-error: others get it too
      trace.heldMs = 0
    }
    expectTypeOf(change).parameters.toEqualTypeOf<[HoldTrace]>()
  })

  it('have no more of an acquisition than its facts', () => {
    expectTypeOf<keyof AcquireTrace>().toEqualTypeOf<
      'kind' | 'name' | 'attempts' | 'waitedMs' | 'outcome' | 'error'
    >()
  })
})
