import { askAll } from './ask-all.js'
import { eventually } from './eventually.js'
import { addressOf, type ServerNode } from './launch/topology.js'
import { roleOf } from './sentinel-set.js'

export interface LeakOptions {
  /**
   * Whether keys may be left. They are flushed in any case.
   *
   * @defaultValue 'none'
   */
  readonly keys?: 'none' | 'any'
  /** Keys that may be left even so. What Redis remembers of requests may be left in any case, if it has a time to live. */
  readonly except?: RegExp
  /**
   * Keys and channels that go by themselves a while later. They may be left, and are not flushed, so that a later check can demand that they went.
   *
   * @defaultValue none
   */
  readonly later?: RegExp | undefined
  /** Keys that stay on purpose. */
  readonly keeps?: RegExp | undefined
  /**
   * Milliseconds that what was let go of may take to be gone.
   *
   * @defaultValue 3000
   */
  readonly withinMs?: number
}

/** Compares what is there after a test with what was there before. */
export class LeakCheck {
  readonly #timersBefore = countTimers()

  /**
   * Demands that no channel is subscribed, that there are no more timers than before, and that no key is left. Then
   * removes all keys that are not to go by themselves, with any result.
   *
   * @throws Error that names what is left
   */
  async finish(nodes: readonly ServerNode[], options: LeakOptions = {}): Promise<void> {
    const { keys = 'none', except, later, keeps, withinMs = 3_000 } = options
    try {
      await eventually(() => demandNoSubscriptions(nodes, later), { withinMs, what: 'no leaks' })
      await eventually(() => demandNoTimers(this.#timersBefore), { withinMs, what: 'no leaks' })
      if (keys === 'none')
        await eventually(() => demandNoKeys(nodes, [except, later, keeps]), { withinMs, what: 'no leaks' })
    } finally {
      await askAll(nodes, (node) => clear(node, later))
    }
  }
}

/** Sentinels talk to each other on the first one; of changed keys a client hears on the others, for as long as it is connected for that. */
const FOR_GOOD = /^(?:__sentinel__:hello|__redis__:invalidate|redisson_key_changes:.*)$/

/** What Redis remembers of requests, some for a second and some for minutes, as of those that were repeated on a slow machine. */
const REQUESTS = /^redisson_(?:unlock_latch|_once):/

/** Returns which of some keys have no time to live. A cluster lets a script name the keys of its node only. */
const LASTING = `
  local lasting = {}
  for _, key in ipairs(ARGV) do
    if redis.call('pttl', key) == -1 then table.insert(lasting, key) end
  end
  return lasting`

/** Removes the keys of a master, in all of its databases, and so those of its replicas. */
export async function clear(node: ServerNode, except?: RegExp): Promise<void> {
  if ((await roleOf(node)) !== 'master') return
  const keys = (await node.command('KEYS', '*')) as string[]
  const others = keys.filter((key) => except?.test(key) !== true)
  if (others.length === keys.length) {
    await node.command('FLUSHALL')
    return
  }
  await Promise.all(others.map((key) => node.command('DEL', key)))
  const keyspace = String(await node.command('INFO', 'keyspace'))
  for (const [, database = ''] of keyspace.matchAll(/^db([1-9]\d*):/gm))
    await node.command('EVAL', `redis.call('select', ARGV[1]) redis.call('flushdb')`, 0, database)
}

async function demandNoSubscriptions(nodes: readonly ServerNode[], allowed?: RegExp): Promise<void> {
  const subscribed = await find(nodes, async (node) => {
    const [channels, sharded, patterns] = await Promise.all([
      node.command('PUBSUB', 'CHANNELS', '*'),
      node.command('PUBSUB', 'SHARDCHANNELS', '*').catch(() => []), // unknown before version 7
      node.command('PUBSUB', 'NUMPAT'),
    ])
    const found = [...(channels as string[]), ...(sharded as string[])].filter(
      (name) => !FOR_GOOD.test(name) && allowed?.test(name) !== true,
    )
    return Number(patterns) > 0 ? [...found, `${Number(patterns)} patterns`] : found
  })
  if (subscribed.length > 0) throw new Error(`Expected no subscription, got ${list(subscribed)}`)
}

async function demandNoKeys(
  nodes: readonly ServerNode[],
  allowed: readonly (RegExp | undefined)[],
): Promise<void> {
  const left = await find(nodes, async (node) => {
    const keys = (await node.command('KEYS', '*')) as string[]
    const others = keys.filter((key) => !allowed.some((pattern) => pattern?.test(key)))
    const [requests, rest] = [
      others.filter((key) => REQUESTS.test(key)),
      others.filter((key) => !REQUESTS.test(key)),
    ]
    return [...rest, ...(await lastingOf(node, requests))]
  })
  if (left.length > 0) throw new Error(`Expected no key, got ${list(left)}`)
}

/** A replica has the keys of its master, which is asked. */
async function lastingOf(node: ServerNode, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0 || (await roleOf(node)) !== 'master') return []
  return (await node.command('EVAL', LASTING, 0, ...keys)) as string[]
}

function demandNoTimers(before: number): void {
  const timers = countTimers()
  if (timers > before) throw new Error(`Expected no more than ${before} timers, got ${timers}`)
}

/** The timers that keep this process alive. */
function countTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
}

async function find(
  nodes: readonly ServerNode[],
  ask: (node: ServerNode) => Promise<readonly string[]>,
): Promise<string[]> {
  const found = await askAll(nodes, async (node) =>
    (await ask(node)).map((name) => `${name} on ${addressOf(node)}`),
  )
  return found.flat()
}

function list(names: readonly string[]): string {
  const more = names.length - 10
  return names.slice(0, 10).join(', ') + (more > 0 ? ` and ${String(more)} more` : '')
}
