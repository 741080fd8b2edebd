import { floor } from '../contenders/floor.js'
import { threeRoundTrips } from '../contenders/three-round-trips.js'
import { inOneProcess } from '../contenders/variants.js'
import { columns, ofSections } from './columns.js'
import { runLoops } from './loops.js'
import { atMost, ofReference, shareOfBestPeers, timesBestPeer } from './targets.js'
import type { Workload } from './workload.js'

const ranking = { key: columns.perSecond.key, better: 'higher' } as const

export const oneProcess: Workload = {
  name: 'one-process',
  title: '50 flows of one process at one lock: lock, GET, SET, unlock, again and again',
  kind: 'lock',
  floor,
  columns: ofSections,
  ranking,
  references: [threeRoundTrips],
  targets: [
    ofReference(threeRoundTrips, 'its bound, three round trips'),
    timesBestPeer(1),
    atMost(3.2, 'commands for each section', ({ commands = NaN }) => commands),
    atMost(2, 'mean waits in the p99', ({ waitP99 = NaN, waitMean = NaN }) => waitP99 / waitMean),
  ],
  waits: 'drawn',
  run: (cell) => runLoops(cell, { kind: 'lock', processes: 1, flows: 50, inside: 'count' }),
}

export const fourProcesses: Workload = {
  name: 'four-processes',
  title: 'four processes with ten flows each at one lock: lock, GET, SET, unlock, again and again',
  kind: 'lock',
  floor,
  columns: ofSections,
  ranking,
  references: [inOneProcess],
  targets: [
    shareOfBestPeers(1 / 3, columns.waitP99.key, 'p99 wait'),
    ofReference(inOneProcess, 'the same flows in one process', 0.7),
  ],
  waits: 'drawn',
  run: (cell) => runLoops(cell, { kind: 'lock', processes: 4, flows: 10, inside: 'count' }),
}
