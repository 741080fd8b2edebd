import { describe, expect, it } from 'vitest'
import { RunClock } from '../../../chaos/clock.js'
import type { Fault, Ground } from '../../../chaos/faults/fault.js'
import type { Entry } from '../../../chaos/history.js'
import { inflict, type Inflicted } from '../../../chaos/inflict.js'
import type { Journal } from '../../../chaos/journal.js'

describe('inflicting faults', () => {
  /** Goes through rounds of faults, which are named by letters. Returns what was done, and what was written down. */
  const inflictAll = async (
    rounds: readonly string[],
    limits: Partial<Pick<Inflicted, 'until' | 'signal'>> = {},
  ) => {
    const deeds: string[] = []
    const written: Entry[] = []
    const does = (deed: string) => () => {
      deeds.push(deed)
    }
    const blow = (kind: string) => {
      const begin = () => {
        deeds.push(`do ${kind}`)
        return does(`undo ${kind}`)
      }
      const aim = () => ({ target: 'a server', begin })
      const fault: Fault = { kind, realm: 'servers', suits: ['single'], lastsMs: [0, 0], aim }
      return { fault, pauseMs: 0, lastsMs: 1, seed: 1 }
    }
    const arena = { untilCalm: () => Promise.resolve().then(does('calm')) }
    const journal: Pick<Journal, 'write'> = {
      write: (entry) => {
        written.push(entry)
        if (entry.type === 'fault' && entry.phase === 'end') deeds.push(`end ${entry.kind}`)
      },
    }
    await inflict({
      rounds: rounds.map((kinds) => Array.from(kinds, blow)),
      ground: { arena } as Ground,
      journal,
      clock: RunClock.start(),
      until: Infinity,
      signal: new AbortController().signal,
      ...limits,
    })
    return { deeds, written }
  }

  it('undoes one and waits until all is calm, before it is over and the next begins', async () => {
    const { deeds } = await inflictAll(['a', 'b'])
    expect(deeds).toEqual(['do a', 'undo a', 'calm', 'end a', 'do b', 'undo b', 'calm', 'end b'])
  })

  it('lets those of one round overlap', async () => {
    const { deeds } = await inflictAll(['ab'])
    expect(deeds).toEqual(['do a', 'do b', 'undo a', 'undo b', 'calm', 'end a', 'end b'])
  })

  it('undoes one even where another cannot be undone before', async () => {
    const undone = Promise.withResolvers<undefined>()
    const blows = [() => undone.promise, () => undone.resolve(undefined)].map((undo, index) => {
      const aim = () => ({ target: 'a server', begin: () => undo })
      const fault: Fault = { kind: `${index}`, realm: 'servers', suits: ['single'], lastsMs: [0, 0], aim }
      return { fault, pauseMs: 0, lastsMs: 1, seed: 1 }
    })
    const written: Entry[] = []
    await inflict({
      rounds: [blows],
      ground: { arena: { untilCalm: () => Promise.resolve() } } as Ground,
      journal: { write: (entry) => void written.push(entry) },
      clock: RunClock.start(),
      until: Infinity,
      signal: new AbortController().signal,
    })
    expect(written.filter((entry) => entry.type === 'fault' && entry.phase === 'end')).toHaveLength(2)
  })

  it('writes down when each began and ended', async () => {
    const { written } = await inflictAll(['ab'])
    expect(written).toMatchObject([
      { type: 'fault', phase: 'begin', fault: 1, kind: 'a', target: 'a server' },
      { type: 'fault', phase: 'begin', fault: 2, kind: 'b' },
      { type: 'fault', phase: 'end', fault: 1, kind: 'a' },
      { type: 'fault', phase: 'end', fault: 2, kind: 'b' },
    ])
  })

  it('begins nothing when time is up', async () => {
    expect((await inflictAll(['a'], { until: -1 })).deeds).toEqual([])
  })

  it('begins nothing more when it is stopped', async () => {
    expect((await inflictAll(['a'], { signal: AbortSignal.abort() })).deeds).toEqual([])
  })
})
