import { describe, expect, it } from 'vitest'
import { lookingEvery } from '../../../../chaos/random-use/player/sure.js'

describe('a flow that has no hold to ask', () => {
  function looking(ms: number) {
    const clock = { at: 0, now: () => clock.at }
    const isAttentive = lookingEvery(ms, clock)
    return (at: number) => {
      clock.at = at
      return isAttentive()
    }
  }

  it('is attentive while it looks often enough', () => {
    const lookAt = looking(75)
    expect([10, 80, 150, 224].map(lookAt)).toEqual([true, true, true, true])
  })

  it('is attentive no more after it has stood still', () => {
    const lookAt = looking(75)
    expect([10, 85, 90].map(lookAt)).toEqual([true, false, false])
  })
})
