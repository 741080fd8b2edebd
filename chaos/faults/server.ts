import { atNodes } from './at-nodes.js'
import { WITHOUT_REPLICAS } from './fault.js'

/** Kills servers that have everything on disk, and starts them again. */
export const killServer = atNodes(
  { kind: 'server-kill', realm: 'servers', suits: WITHOUT_REPLICAS, lastsMs: [0, 3_000] },
  () => async (node) => {
    await node.kill()
    return () => node.restart()
  },
)

/** Freezes servers; where there are replicas, sometimes long enough that one takes over. */
export const freezeServer = atNodes(
  { kind: 'server-freeze', realm: 'servers', lastsMs: [100, 3_500] },
  () => async (node) => {
    await node.pause()
    return () => node.resume()
  },
)

/** Has servers sleep in the middle of their work. */
export const sleepyServer = atNodes(
  { kind: 'server-sleep', realm: 'servers', lastsMs: [100, 3_000] },
  () => (node, lastsMs) => {
    const slept = node.command('DEBUG', 'SLEEP', lastsMs / 1_000)
    slept.catch(() => undefined) // is reported when it is undone
    return async () => {
      await slept
    }
  },
)
