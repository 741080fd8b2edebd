import { describe, expect, it } from 'vitest'
import { PlainHoldMarker } from '../../../src/ownership/plain-hold-marker.js'
import { namedThread } from '../../../src/ownership/thread.js'

const phaseOf = ({ pending, held, over }: PlainHoldMarker) => ({ pending, held, over })

describe('a note', () => {
  it('is pending until the lock was taken, held until it was given back, and then over', () => {
    const note = new PlainHoldMarker('lock', namedThread('client', 7))
    expect(phaseOf(note)).toEqual({ pending: true, held: false, over: false })
    note.hold({ loss: () => undefined })
    expect(phaseOf(note)).toEqual({ pending: false, held: true, over: false })
    note.end()
    expect(phaseOf(note)).toEqual({ pending: false, held: false, over: true })
  })

  it('is over at once when the lock was not taken', () => {
    const note = new PlainHoldMarker('lock', namedThread('client', 7))
    note.end()
    expect(phaseOf(note)).toEqual({ pending: false, held: false, over: true })
  })
})
