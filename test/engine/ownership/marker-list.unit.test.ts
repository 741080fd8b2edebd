import { describe, expect, it } from 'vitest'
import { heldOf, newestOf, withMarker, type MarkerList } from '../../../src/ownership/marker-list.js'
import { PlainHoldMarker } from '../../../src/ownership/plain-hold-marker.js'

const HELD = { lost: undefined }

const LOST = { lost: new Error('its lease has ended') }

function markerOf(lock: string): PlainHoldMarker {
  return new PlainHoldMarker(lock, { id: '1', owner: 'client:1', chosen: false, shared: false, holds: 0 })
}

function listOf(...markers: readonly PlainHoldMarker[]): MarkerList | undefined {
  return markers.reduce<MarkerList | undefined>(withMarker, undefined)
}

function allOf(list: MarkerList | undefined): PlainHoldMarker[] {
  const found: PlainHoldMarker[] = []
  newestOf(list, (marker) => {
    found.push(marker)
    return false
  })
  return found
}

describe('a list of markers', () => {
  it('is shared, and not copied, by all that have one marker more', () => {
    const common = listOf(markerOf('a'), markerOf('b'))
    const [one, other] = [withMarker(common, markerOf('c')), withMarker(common, markerOf('d'))]
    expect([one.before, other.before]).toEqual([common, common])
    expect(one.before).toBe(other.before)
  })

  it('has the newest first', () => {
    const [a, b, c] = [markerOf('a'), markerOf('b'), markerOf('c')]
    expect(allOf(listOf(a, b, c))).toEqual([c, b, a])
    expect(newestOf(listOf(a, b, c), ({ lock }) => lock !== 'c')).toBe(b)
    expect(newestOf(undefined, () => true)).toBeUndefined()
  })

  it('leaves out what has ended, wherever it stands, and keeps the order of the others', () => {
    const markers = ['a', 'b', 'c', 'd', 'e'].map(markerOf)
    const list = listOf(...markers)
    const [a, b, c, d, e] = markers
    a?.end()
    c?.end()
    e?.end()
    const next = markerOf('next')
    expect(allOf(withMarker(list, next))).toEqual([next, d, b])
    expect(allOf(list)).toEqual([e, d, c, b, a]) // other flows have it as well
  })

  it('leaves out what is pending for the same lock, and keeps what is held', () => {
    const [held, pending, other] = [markerOf('lock'), markerOf('lock'), markerOf('other')]
    held.hold(HELD)
    const next = markerOf('lock')
    expect(allOf(withMarker(listOf(held, pending, other), next))).toEqual([next, other, held])
  })

  it('keeps the latest sixteen of lost holds', () => {
    const lost = Array.from({ length: 20 }, (_, index) => markerOf(String(index)))
    const standing = markerOf('standing')
    standing.hold(HELD)
    const list = listOf(standing, ...lost)
    for (const marker of lost) marker.hold(LOST)
    const next = markerOf('next')
    expect(allOf(withMarker(list, next))).toEqual([next, ...lost.slice(4).reverse(), standing])
  })

  it('tells which are held, the newest first', () => {
    const [a, b, c] = [markerOf('a'), markerOf('b'), markerOf('c')]
    const list = listOf(a, b, c)
    a.hold(HELD)
    c.hold(HELD)
    expect(heldOf(list)).toEqual([c, a])
    expect(heldOf(undefined)).toEqual([])
  })
})
