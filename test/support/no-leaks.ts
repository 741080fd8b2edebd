import { afterEach, beforeEach } from 'vitest'
import type { ServerNode, Topology } from './launch/topology.js'
import { LeakCheck, type LeakOptions } from './leak-check.js'

/**
 * Demands that every test of this file or `describe` leaves nothing behind: no subscribed channel, no key, no timer that
 * would keep the process alive.
 *
 * Call it before other hooks are declared: its check then comes after theirs. A topology that does not exist yet can be
 * given as a function.
 */
export function noLeaks(topology: Checked | (() => Checked), options: LeakOptions = {}): void {
  let check = new LeakCheck()

  beforeEach(() => {
    check = new LeakCheck()
  })

  afterEach(async () => {
    const { nodes, keeps } = typeof topology === 'function' ? topology() : topology
    await check.finish(nodes, { keeps, ...options })
  })
}

/** Servers, and the keys that what is tested there leaves on purpose. */
type Checked = Topology<ServerNode> & Pick<LeakOptions, 'keeps'>
