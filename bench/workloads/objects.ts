import type { Inside } from '../client/tasks/inside.js'
import { PERMITS, type Kind } from '../contenders/contender.js'
import { columns, ofSections } from './columns.js'
import { runLoops } from './loops.js'
import type { Workload } from './workload.js'

const MASTERS = 5

export const fairLock = ofObject('fair-lock', {
  kind: 'fair-lock',
  title: '50 flows of one process at one fair lock',
  flows: 50,
  inside: 'count',
})

export const readLock = ofObject('read-lock', {
  kind: 'read-lock',
  title: '100 readers of one process at one read-write lock, each of them reading the number',
  flows: 100,
  inside: 'read',
})

export const semaphore = ofObject('semaphore', {
  kind: 'semaphore',
  title: `100 takers of one process at one semaphore with ${String(PERMITS)} permits`,
  flows: 100,
  inside: 'permits',
})

export const fencedLock = ofObject('fenced-lock', {
  kind: 'fenced-lock',
  title: '50 flows of one process at one fenced lock',
  flows: 50,
  inside: 'count',
})

export const redLock: Workload = {
  ...ofObject('red-lock', {
    kind: 'red-lock',
    title: `one flow, one lock on ${String(MASTERS)} masters`,
    flows: 1,
    inside: 'count',
  }),
  masters: MASTERS,
}

interface ObjectPlan {
  readonly kind: Kind
  readonly title: string
  readonly flows: number
  readonly inside: Inside
}

/** What objects cost beside the plain lock. */
function ofObject(name: string, { kind, title, flows, inside }: ObjectPlan): Workload {
  return {
    name,
    title,
    kind,
    columns: ofSections,
    ranking: { key: columns.perSecond.key, better: 'higher' },
    targets: [],
    run: (cell) => runLoops(cell, { kind, processes: 1, flows, inside }),
  }
}
