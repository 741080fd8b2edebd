import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FlowMarkers } from '../../../src/ownership/flow-markers.js'
import { PlainHoldMarker } from '../../../src/ownership/plain-hold-marker.js'
import { collectGarbage } from '../../support/collect-garbage.js'

const HELD = { loss: () => undefined }

const LOST = { loss: () => new Error('its lease has ended') }

function markerOf(lock: string, parts?: readonly string[]): PlainHoldMarker {
  const thread = { id: '1', owner: 'client:1', chosen: false, shared: false, holds: 0 }
  return new PlainHoldMarker(lock, thread, parts)
}

function heldMarker(lock: string, parts?: readonly string[]): PlainHoldMarker {
  const marker = markerOf(lock, parts)
  marker.hold(HELD)
  return marker
}

function all(markers: readonly PlainHoldMarker[]): FlowMarkers {
  return markers.reduce((flow, marker) => flow.with(marker), FlowMarkers.none)
}

function kept(count: number, lockOf: (index: number) => string): PlainHoldMarker[] {
  return Array.from({ length: count }, (_, index) => heldMarker(lockOf(index)))
}

/** How often something asks markers for their state. */
function looksOf(fn: () => unknown): number {
  const spies = [
    ...(['over', 'held', 'pending'] as const).map((property) =>
      vi.spyOn(PlainHoldMarker.prototype, property, 'get'),
    ),
    vi.spyOn(PlainHoldMarker.prototype, 'isLost'),
  ]
  fn()
  const looks = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  vi.restoreAllMocks()
  return looks
}

afterEach(() => vi.restoreAllMocks())

describe('the markers of a flow', () => {
  it('are found by their lock, the newest that is held first', () => {
    const [a, older, newer] = [heldMarker('a'), heldMarker('lock'), heldMarker('lock')]
    const flow = all([older, newer, a])
    expect(flow.newestHeld('lock')).toBe(newer)
    expect([...flow.held('lock')]).toEqual([newer, older])
    newer.end()
    expect(flow.newestHeld('lock')).toBe(older)
    expect([flow.newestHeld('a'), flow.newestHeld('other')]).toEqual([a, undefined])
  })

  it('never change: what one flow takes is not seen by another', () => {
    const common = heldMarker('a')
    const before = all([common])
    const [one, other] = [heldMarker('b'), heldMarker('b')]
    const [flow, sibling] = [before.with(one), before.with(other)]
    expect([before, flow, sibling].map((markers) => markers.newestHeld('b'))).toEqual([undefined, one, other])
    expect([flow, sibling].map((markers) => markers.newestHeld('a'))).toEqual([common, common])
  })

  it('do not have what is pending for the same lock, and have what is held', () => {
    const [held, pending] = [heldMarker('lock'), markerOf('lock')]
    const before = all([held, pending, heldMarker('other')])
    const next = markerOf('lock')
    const flow = before.with(next)
    pending.hold(HELD)
    expect(flow.newestHeld('lock')).toBe(held)
    expect(before.newestHeld('lock')).toBe(pending)
    next.hold(HELD)
    expect([...flow.held('lock')]).toEqual([next, held])
  })

  it('keep the latest sixteen of lost holds', () => {
    const standing = heldMarker('standing')
    const lost = Array.from({ length: 20 }, (_, index) => markerOf(String(index)))
    const flow = all([standing, ...lost])
    for (const marker of lost) marker.hold(LOST)
    const later = flow.with(markerOf('next'))
    const found = lost.filter(({ lock }) => later.newestHeld(lock) !== undefined)
    expect(found).toEqual(lost.slice(4))
    expect(later.newestHeld('standing')).toBe(standing)
  })

  it('are of a group for each lock that it is made of, beside those of the lock itself', () => {
    const [own, group] = [heldMarker('a'), heldMarker('multi:a,b', ['a', 'b'])]
    const flow = all([own, group])
    expect([...flow.held('a')]).toEqual([own, group])
    expect([...flow.held('b')]).toEqual([group])
    expect(flow.newestHeld('a')).toBe(own)
    expect(flow.newestHeld('b')).toBeUndefined()
    group.end()
    expect([...flow.held('b')]).toEqual([])
  })

  it('are over when each of them is', () => {
    const markers = [...kept(100, String), ...kept(100, () => 'one')]
    const flow = all(markers)
    const last = markers.pop()
    for (const marker of markers) marker.end()
    expect(flow.isOver).toBe(false)
    last?.end()
    expect(flow.isOver).toBe(true)
    expect(FlowMarkers.none.isOver).toBe(true)
  })

  it('are found among thousands', () => {
    const markers = kept(5_000, (index) => `order:${String(index)}`)
    const flow = all(markers)
    expect(markers.filter((marker) => flow.newestHeld(marker.lock) !== marker)).toEqual([])
  })
})

describe('a lock more, or a look, costs the same whether a flow keeps ten locks or ten thousand,', () => {
  const cases = {
    'of different names': (index: number) => `order:${String(index)}`,
    'of one name': () => 'readers',
  }

  it.each(Object.entries(cases))('%s', (_, lockOf) => {
    const [few, many] = [10, 10_000].map((count) => all(kept(count, lockOf))) as [FlowMarkers, FlowMarkers]
    const use = (flow: FlowMarkers) => {
      let after = flow
      for (const lock of ['another', lockOf(3)]) {
        after = after.with(heldMarker(lock))
        after.newestHeld(lock)
        after.newestHeld('none')
      }
    }
    expect(looksOf(() => use(many))).toBeLessThan(looksOf(() => use(few)) + 2 * 32)
  })

  it('and so do thousands in a row', () => {
    const markers = kept(10_000, (index) => (index % 2 === 0 ? 'readers' : `order:${String(index)}`))
    expect(looksOf(() => all(markers))).toBeLessThan(10_000 * 70)
  })

  it('and so do releases of one name, the newest first', () => {
    const markers = kept(10_000, () => 'readers')
    const flow = all(markers)
    const releaseAll = () => {
      for (const _ of markers) flow.newestHeld('readers')?.end()
    }
    expect(looksOf(releaseAll)).toBeLessThan(10_000 * 5)
    expect(flow.newestHeld('readers')).toBeUndefined()
  })

  it.each(Object.entries(cases))('and what has ended is let go of meanwhile, %s', async (_, lockOf) => {
    const ended: WeakRef<PlainHoldMarker>[] = []
    const open: PlainHoldMarker[] = []
    let flow = all(kept(100, (index) => `kept:${String(index)}`))
    for (let index = 0; index < 5_000; index += 1) {
      const marker = heldMarker(lockOf(index))
      flow = flow.with(marker)
      open.push(marker)
      const oldest = index < 100 ? undefined : open.shift()
      oldest?.end()
      if (oldest !== undefined) ended.push(new WeakRef(oldest))
    }
    await nextTurn()
    collectGarbage()
    expect(ended.filter((marker) => marker.deref() !== undefined).length).toBeLessThan(1_000)
    expect(flow.isOver).toBe(false)
  })
})
