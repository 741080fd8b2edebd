import type { RedissonClient } from '../../../src/index.js'
import type { Effect } from './effects.js'
import { valuesOf, type DataMethod, type Run } from './method.js'

/** The groups of each stream, and the subscribers of each topic. Each of them gets all messages. */
export const GROUPS = ['g1', 'g2']

/** More messages than there are in a round. */
const MOST_MESSAGES = 5_000

/** Adds a message behind all others. */
export function adding(run: Run): DataMethod {
  return {
    values: 1,
    run,
    effects: (args) =>
      GROUPS.map((cell): Effect => ({ is: 'put', cell, elements: valuesOf(args), atEnd: true })),
  }
}

/** Reads what groups have not acknowledged, at one moment. */
export function readingAll(hasPending: boolean): DataMethod {
  return {
    alone: true,
    run: ({ client, name }) => leftIn(client, name, hasPending),
    effects: (_, reply) => {
      const found = reply?.result as Found | undefined
      return found ? GROUPS.map((cell): Effect => ({ is: 'look', cell, elements: found[cell] ?? [] })) : []
    },
  }
}

/** What a stream calls the value of a message that the library has added to it. */
export const FIELD = 'm'

/** The messages that each group has not acknowledged, in their order. */
type Found = Readonly<Record<string, readonly string[]>>

/**
 * Those behind the place of the group, and those that are pending. What is pending in a group of a topic is behind its place.
 */
async function leftIn(client: RedissonClient, name: string, hasPending: boolean): Promise<Found> {
  const [messages, groups, ...pending] = await client.batch(
    (batch) => {
      const stream = batch.getStream<string, string>(name)
      const lists = hasPending
        ? GROUPS.map((group) => stream.listPending(group, { count: MOST_MESSAGES }))
        : []
      return [stream.range(), stream.listGroups(), ...lists] as const
    },
    { mode: 'atomic' },
  )
  return Object.fromEntries(
    GROUPS.map((group, n) => {
      const ids = new Set(pending[n]?.map(({ id }) => id))
      const place = groups.find((each) => each.name === group)?.lastDeliveredId ?? '0-0'
      const left = messages.filter(({ id }) => ids.has(id) || isAfter(id, place))
      return [group, left.map(({ fields }) => fields.get(FIELD) ?? '')]
    }),
  )
}

function isAfter(id: string, place: string): boolean {
  const [ms = 0, sequence = 0] = id.split('-').map(Number)
  const [placeMs = 0, placeSequence = 0] = place.split('-').map(Number)
  return ms > placeMs || (ms === placeMs && sequence > placeSequence)
}
