import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpProxy } from '../../test/support/proxy.js'
import type { FaultEntry } from '../history.js'
import { Random } from '../random.js'
import type { Stage } from './ground.js'

/** What can happen to the network. Every one ends by itself. */
const TROUBLES = {
  /** All connections break at once. */
  cut: (proxy) => {
    proxy.cut()
    return Promise.resolve()
  },
  /** A request has run, and its reply is lost with the connection. */
  'lost-reply': async (proxy) => {
    await trapped(() => proxy.loseReplyTo(SCRIPT))
  },
  /** A request is lost with the connection. */
  'lost-request': async (proxy) => {
    await trapped(() =>
      proxy.onRequest(SCRIPT, (passing) => {
        passing.cut()
      }),
    )
  },
  /** The same as a lost reply, and no client can connect for longer than requests are tried again. */
  'lost-reply-and-away': (proxy, random) =>
    away(proxy, random, (gone) =>
      proxy.onReply(SCRIPT, (passing) => {
        gone()
        passing.cut()
      }),
    ),
  'lost-request-and-away': (proxy, random) =>
    away(proxy, random, (gone) =>
      proxy.onRequest(SCRIPT, (passing) => {
        gone()
        passing.cut()
      }),
    ),
  /** Replies vanish while the connections stay up; they are silent for good. */
  'silent-replies': async (proxy, random) => {
    proxy.swallowReplies()
    await sleep(random.between(5, 200))
    proxy.deliverReplies()
  },
  /** Nothing passes for a while. */
  stall: async (proxy, random) => {
    proxy.stall(random.pick(['requests', 'replies', 'both'] as const))
    await sleep(random.between(5, 300))
    proxy.resume()
  },
} as const satisfies Readonly<Record<string, (proxy: TcpProxy, random: Random) => Promise<void>>>

type TroubleName = keyof typeof TROUBLES

/** What has failed before comes more often. */
const NAMES = [...Object.keys(TROUBLES), 'lost-reply-and-away', 'lost-request-and-away'] as TroubleName[]

/** Scripts are what counts, and what writes the data of objects. */
const SCRIPT =
  /^(evalsha|exec|incr|getdel|set|hset|hdel|hincrby|sadd|srem|spop|zadd|zrem|zpop|rpush|lpush|lrem)/i

const SHORTEST_PAUSE_MS = 30
const LONGEST_PAUSE_MS = 500
/** Requests of impatient clients are given up before this. */
const SHORTEST_ABSENCE_MS = 300
const LONGEST_ABSENCE_MS = 900
/** How long a trap waits for a request. */
const TRAP_MS = 200

type Note = (fault: Pick<FaultEntry, 'phase' | 'fault' | 'kind' | 'target'>) => void

/** Disturbs the servers of a topology one at a time, and half of those beside it at the same time, so that majorities are missing. */
export async function disturbAll(
  { proxies, others }: Pick<Stage, 'proxies' | 'others'>,
  random: Random,
  note: Note,
  signal: AbortSignal,
): Promise<void> {
  const first = others.slice(0, others.length / 2).map(({ proxy }) => proxy)
  const rest = proxies.filter((proxy) => !first.includes(proxy))
  const parts = [rest, first].filter(({ length }) => length > 0)
  await Promise.all(parts.map((part) => disturb(part, new Random(random.seed()), note, signal)))
}

/** Makes one fault after the other until it is stopped; then all faults are undone. */
async function disturb(
  proxies: readonly TcpProxy[],
  random: Random,
  note: Note,
  signal: AbortSignal,
): Promise<void> {
  for (let fault = 1; ; fault += 1) {
    await sleep(random.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS))
    if (signal.aborted) return
    const [kind, proxy] = [random.pick(NAMES), random.pick(proxies)]
    const about = { fault, kind, target: String(proxy.target.port) }
    note({ ...about, phase: 'begin' })
    await TROUBLES[kind](proxy, random)
    note({ ...about, phase: 'end' })
  }
}

async function trapped(set: () => Disposable & { readonly happened: Promise<string> }): Promise<void> {
  using trap = set()
  await Promise.race([trap.happened, sleep(TRAP_MS)])
}

/** Refuses all connections as soon as the trap has acted, for longer than any request survives. */
async function away(
  proxy: TcpProxy,
  random: Random,
  set: (gone: () => void) => Disposable & { readonly happened: Promise<string> },
): Promise<void> {
  await trapped(() =>
    set(() => {
      proxy.refuse()
      setTimeout(
        () => {
          proxy.cut() // after what is under way, so that it runs and its reply is lost
        },
        random.between(0, 5),
      )
    }),
  )
  proxy.refuse()
  await sleep(random.between(SHORTEST_ABSENCE_MS, LONGEST_ABSENCE_MS))
  proxy.cut()
  await proxy.accept()
}
