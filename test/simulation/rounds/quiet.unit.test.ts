import { describe, expect, it } from 'vitest'
import { lengthOf } from '../../../chaos/random-use/mixes.js'
import type { Step } from '../../../chaos/random-use/program.js'
import { drawRound, type Round } from './draw.js'
import { isQuiet } from './quiet.js'

const ROUND = drawRound({ mix: 'turns', seed: 1, playMs: 500 })

function roundWith(changes: Partial<Round['circumstances']>, faulty = false): Round {
  const { plan, circumstances } = ROUND
  return { ...ROUND, plan: { ...plan, faulty }, circumstances: { ...circumstances, ...changes } }
}

describe('a quiet round', () => {
  it('loses no message, and no process stands still or ends', () => {
    expect(isQuiet(ROUND)).toBe(true)
    expect(isQuiet(roundWith({}, true))).toBe(false)
    expect(isQuiet(roundWith({ disturbances: { pause: { everyMs: 10, lastsMs: [1, 2] } } }))).toBe(false)
    expect(isQuiet(roundWith({ stops: [{ process: 0, atMs: 10 }] }))).toBe(false)
  })

  it('takes no longer than all its programs one after the other', () => {
    const enter = (steps: readonly Step[]): Step => ({ do: 'enter', object: 0, form: 'lock', steps })
    const program: Step[] = [
      { do: 'pause', ms: 1 },
      enter([{ do: 'pause', ms: 10 }, enter([{ do: 'pause', ms: 100 }])]),
      { do: 'fork', branches: [[{ do: 'pause', ms: 1_000 }], [{ do: 'pause', ms: 10_000 }]] },
    ]
    const flows = [{ client: 0, program }]
    expect(lengthOf({ ...ROUND.plan, processes: [{ clients: 1, flows }] })).toBe(11_111)
  })
})
