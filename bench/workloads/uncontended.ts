import { floor } from '../contenders/floor.js'
import { ownScripts } from '../contenders/own-scripts.js'
import { columns, ofSections } from './columns.js'
import { runLoops } from './loops.js'
import { atMost, ofFloor, ofReference, timesBestPeer } from './targets.js'
import type { Workload } from './workload.js'

/** Peers whose locks last for as long as they are held. */
const RENEWING: readonly string[] = ['redis-semaphore', 'node-redisson']

/** GET and SET. */
const OF_THE_SECTION = 2

export const uncontended: Workload = {
  name: 'uncontended',
  title: 'one flow, one lock: lock, GET, SET, unlock',
  kind: 'lock',
  floor,
  references: [ownScripts],
  columns: ofSections,
  ranking: { key: columns.perSecond.key, better: 'higher' },
  targets: [
    ofReference(ownScripts, 'its own two scripts on bare ioredis', 0.97),
    ofFloor(0.95),
    timesBestPeer(1, {
      who: 'the best peer that renews its lease',
      admit: (name) => RENEWING.includes(name),
    }),
    atMost(2, 'commands beside GET and SET', ({ commands = NaN }) => commands - OF_THE_SECTION),
    atMost(0, 'keys left', ({ keysLeft = NaN }) => keysLeft),
  ],
  run: (cell) => runLoops(cell, { kind: 'lock', processes: 1, flows: 1, inside: 'count' }),
}
