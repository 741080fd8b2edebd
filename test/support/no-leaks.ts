import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ServerNode, Topology } from './launch/topology.js'
import { LeakCheck, type LeakOptions } from './leak-check.js'

/**
 * What Redis remembers of requests, the channels to which a client listens for a second after its last adder, and those of delayed queues and local cached maps that no test has
 * destroyed. No test waits for their end; the last one is followed by a check.
 */
const LATER = /^redisson(?:_unlock_latch|__once|_delay_queue_channel):|[:-]topic$/

/**
 * Demands that every test of this file or `describe` leaves nothing behind: no subscribed channel, no key, no timer that
 * would keep the process alive.
 *
 * Call it before other hooks are declared: its check then comes after theirs. A topology that the file starts and stops is
 * given as a function.
 */
export function noLeaks(topology: Checked | (() => Checked), options: LeakOptions = {}): void {
  let all = new LeakCheck()
  let check = all
  const finish = async (finished: LeakCheck, { nodes, keeps }: Checked, more: LeakOptions = {}) => {
    await finished.finish(nodes, { keeps, ...options, ...more })
  }

  beforeAll(() => {
    all = new LeakCheck()
  })

  beforeEach(() => {
    check = new LeakCheck()
  })

  afterEach(() => finish(check, typeof topology === 'function' ? topology() : topology, { later: LATER }))

  // Servers that the file has started are stopped by then.
  afterAll(() => finish(all, typeof topology === 'function' ? { nodes: [] } : topology))
}

/** Servers, and the keys that what is tested there leaves on purpose. */
type Checked = Pick<Topology<ServerNode>, 'nodes'> & Pick<LeakOptions, 'keeps'>
