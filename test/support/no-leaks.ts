import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ServerNode, Topology } from './launch/topology.js'
import { LeakCheck, type LeakOptions } from './leak-check.js'

/** What Redis remembers of requests for up to a second after their replies. No test waits for that; the last one is followed by a check. */
const REMEMBERED = /^redisson_unlock_latch:/

/**
 * Demands that every test of this file or `describe` leaves nothing behind: no subscribed channel, no key, no timer that
 * would keep the process alive.
 *
 * Call it before other hooks are declared: its check then comes after theirs. A topology that does not exist yet can be
 * given as a function.
 */
export function noLeaks(topology: Checked | (() => Checked), options: LeakOptions = {}): void {
  let all = new LeakCheck()
  let check = all
  const finish = async (finished: LeakCheck, more: LeakOptions = {}) => {
    const { nodes, keeps } = typeof topology === 'function' ? topology() : topology
    await finished.finish(nodes, { keeps, ...options, ...more })
  }

  beforeAll(() => {
    all = new LeakCheck()
  })

  beforeEach(() => {
    check = new LeakCheck()
  })

  afterEach(() => finish(check, { later: REMEMBERED }))

  afterAll(() => finish(all))
}

/** Servers, and the keys that what is tested there leaves on purpose. */
type Checked = Topology<ServerNode> & Pick<LeakOptions, 'keeps'>
