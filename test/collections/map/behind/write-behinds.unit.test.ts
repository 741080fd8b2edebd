import { describe, expect, it } from 'vitest'
import { WriteBehinds } from '../../../../src/collections/map/behind/write-behinds.js'
import type { ObjectContext } from '../../../../src/core/object-context.js'

const behinds = () =>
  new WriteBehinds({ closing: new AbortController().signal, onClose: () => undefined } as Pick<
    ObjectContext,
    'closing' | 'onClose'
  > as ObjectContext)

describe('the maps that are written behind', () => {
  it('are looked at once, and not again at once', () => {
    const all = behinds()
    expect([all.isTimeToLook('a'), all.isTimeToLook('a'), all.isTimeToLook('b')]).toEqual([true, false, true])
  })

  it('are remembered up to a thousand', () => {
    const all = behinds()
    for (let n = 0; n <= 1_000; n += 1) all.isTimeToLook(String(n))
    expect([all.isTimeToLook('1'), all.isTimeToLook('1000'), all.isTimeToLook('0')]).toEqual([
      false,
      false,
      true,
    ])
  })
})
