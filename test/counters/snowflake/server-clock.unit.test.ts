import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServerClock } from '../../../src/counters/snowflake/server-clock.js'

describe('the clock of a server, as a process knows it', () => {
  it('goes on by the monotonic clock', () => {
    const clock = new ServerClock(1_000_000, 50)
    expect([50, 60, 1_050].map((moment) => clock.at(moment))).toEqual([1_000_000, 1_000_010, 1_001_000])
  })

  it('follows a server that is ahead at once', () => {
    const clock = new ServerClock(1_000_000, 0)
    clock.learn(2_000_000, 100)
    expect([100, 101].map((moment) => clock.at(moment))).toEqual([2_000_000, 2_000_001])
  })

  it('goes at half the speed while the server is behind, and never back', () => {
    const clock = new ServerClock(1_000_000, 0)
    clock.learn(999_900, 100)
    const shown = [100, 200, 300, 400, 500, 600, 700].map((moment) => clock.at(moment))
    expect(shown).toEqual([1_000_100, 1_000_150, 1_000_200, 1_000_250, 1_000_300, 1_000_400, 1_000_500])
  })

  it('never goes back, whatever the server says', () => {
    const heard = fc.array(fc.tuple(fc.nat(10_000), fc.nat(1_000)), { maxLength: 20 })
    fc.assert(
      fc.property(heard, (replies) => {
        const clock = new ServerClock(5_000, 0)
        let moment = 0
        let shown = clock.at(moment)
        for (const [serverMs, passedMs] of replies) {
          moment += passedMs
          expect(clock.at(moment)).toBeGreaterThanOrEqual(shown)
          shown = clock.at(moment)
          clock.learn(serverMs, moment)
          expect(clock.at(moment)).toBeGreaterThanOrEqual(shown)
        }
      }),
      { seed: 7 },
    )
  })
})
