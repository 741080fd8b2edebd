import type { Inside } from '../client/tasks/inside.js'
import { PERMITS, type Kind, type NodeContender } from '../contenders/contender.js'
import { ownScripts } from '../contenders/own-scripts.js'
import { plainLocks } from '../contenders/variants.js'
import { columns, ofSections } from './columns.js'
import { runLoops } from './loops.js'
import { atMost, ofReference, shareOfBestPeers, timesBestPeer } from './targets.js'
import type { Target, Workload } from './workload.js'

const MASTERS = 5

export const fairLock = ofObject('fair-lock', {
  kind: 'fair-lock',
  title: '50 flows of one process at one fair lock',
  flows: 50,
  inside: 'count',
  references: [plainLocks],
  targets: [
    ofReference(plainLocks, 'RLock', 0.9),
    atMost(4, 'commands for each section', ({ commands = NaN }) => commands),
  ],
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
  targets: [timesBestPeer(1), shareOfBestPeers(1 / 3, columns.waitP99.key, 'p99 wait')],
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
    references: [ownScripts],
    targets: [
      timesBestPeer(0.9, { who: 'redlock', admit: (name) => name === 'redlock' }),
      ofReference(ownScripts, 'its own two scripts at each on bare ioredis'),
    ],
  }),
  masters: MASTERS,
}

export const rateGrant = ofObject('rate-grant', {
  kind: 'rate-grant',
  title: 'one flow that calls a rate limiter, which lets every call through',
  flows: 1,
  inside: 'nothing',
  targets: [timesBestPeer(1)],
})

export const rateRefusal = ofObject('rate-refusal', {
  kind: 'rate-refusal',
  title: 'one flow that calls a rate limiter whose rate is used up',
  flows: 1,
  inside: 'nothing',
  targets: [timesBestPeer(1)],
})

interface ObjectPlan {
  readonly kind: Kind
  readonly title: string
  readonly flows: number
  readonly inside: Inside
  readonly references?: readonly NodeContender[]
  readonly targets?: readonly Target[]
}

/** What objects cost beside the plain lock. */
function ofObject(
  name: string,
  { kind, title, flows, inside, references = [], targets = [] }: ObjectPlan,
): Workload {
  return {
    name,
    title,
    kind,
    columns: ofSections,
    ranking: { key: columns.perSecond.key, better: 'higher' },
    references,
    targets,
    run: (cell) => runLoops(cell, { kind, processes: 1, flows, inside }),
  }
}
