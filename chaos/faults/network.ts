import type { TcpProxy } from '../../test/support/proxy.js'
import type { Random } from '../random.js'
import { atNodes } from './at-nodes.js'
import type { Fault, Undo } from './fault.js'

/** Breaks all connections to a server, again and again. */
export const cut = networkFault('tcp-cut', () => (proxy) => {
  proxy.cut()
  const again = setInterval(() => {
    proxy.cut()
  }, CUT_EVERY_MS)
  return () => {
    clearInterval(again)
  }
})
const CUT_EVERY_MS = 150

/** Breaks all connections to a server, and accepts no new ones. */
export const refuse = networkFault('tcp-refuse', () => (proxy) => {
  proxy.refuse()
  proxy.cut()
  return () => proxy.accept()
})

/** Lets nothing pass, in one direction or in both; it arrives later, or never. */
export const stall = networkFault('tcp-stall', (random) => {
  const direction = random.pick(['requests', 'replies', 'both'] as const)
  const held = random.pick(['delivered', 'dropped'] as const)
  return (proxy) => {
    proxy.stall(direction)
    return () => {
      proxy.resume(direction, { held })
    }
  }
})

/** Has requests carried out, and their replies lost. */
export const lostReplies = networkFault('lost-replies', () => (proxy) => {
  proxy.swallowReplies()
  return () => {
    proxy.deliverReplies()
  }
})

/** Makes everything slow. */
export const delay = networkFault('delay', (random) => {
  const ms = random.between(5, 250)
  return (proxy) => {
    proxy.delay(ms)
    return () => {
      proxy.delay(0)
    }
  }
})

type Harm = (proxy: TcpProxy) => Undo

function networkFault(kind: string, harmBy: (random: Random) => Harm): Fault {
  return atNodes({ kind, realm: 'network', lastsMs: [100, 3_000] }, (random, ground) => {
    const harm = harmBy(random)
    return (node) => harm(ground.arena.proxyOf(node))
  })
}
