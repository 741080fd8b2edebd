import { describe, expectTypeOf, it } from 'vitest'
import type { Once, OnceResult } from '../../src/index.js'

declare const once: Once

describe('the types of what runs once', () => {
  it('tell the value where there is one', async () => {
    const result = await once.run(({ signal }) => Promise.resolve(signal.aborted))
    expectTypeOf(result).toEqualTypeOf<OnceResult<boolean>>()
    if (result.ran) expectTypeOf(result.value).toEqualTypeOf<boolean>()
    else expectTypeOf(result).toEqualTypeOf<{ readonly ran: false }>()
  })

  it('take what a fire may be', () => {
    // @ts-expect-error: there is no such retry
    void once.run(() => 1, { retry: 'always' })
    // @ts-expect-error: a fire is no list
    void once.run(() => 1, { fire: [1] })
  })
})
