import type { RedissonClient, RTimeSeries } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** What a series has: its entries, and how many of them have an end. */
type State = readonly (readonly [timestamp: number, value: string])[]

const seriesOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getTimeSeries<string, string>(name, { exactlyOnce })

const NONE: State = []
const ONE: State = [[1, 'a']]
const TWO: State = [
  [1, 'a'],
  [2, 'b'],
]
const LAST: State = [[2, 'b']]

/** More entries than one request may be about. */
const MANY: State = Array.from({ length: 6_000 }, (_, place) => [place, `v${String(place)}`])

async function look(client: RedissonClient, name: string): Promise<State> {
  const entries = await seriesOf(client, name).firstEntries(MANY.length + 1)
  return entries.map(({ timestamp, value }) => [timestamp, value])
}

/** A call of a series that has some entries before, and others afterwards. */
function calling(
  what: string,
  call: (series: RTimeSeries<string, string>) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      const series = seriesOf(client, name)
      await series.delete()
      await series.addAll(states[0])
    },
    call: (client, name, exactlyOnce) => call(seriesOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (series) => series.add(2, 'b', { label: 'x', ttlMs: 600_000 }), undefined, [ONE, TWO]),
  calling('add of a large value', (series) => series.add(1, LARGE), undefined, [NONE, [[1, LARGE]]]),
  calling('addAll', (series) => series.addAll(TWO), undefined, [NONE, TWO]),
  calling('remove', (series) => series.remove(1), true, [TWO, LAST]),
  calling('getAndRemove', (series) => series.getAndRemove(1), 'a', [TWO, LAST]),
  calling('getAndRemoveEntry', (series) => series.getAndRemoveEntry(1), { timestamp: 1, value: 'a' }, [
    TWO,
    LAST,
  ]),
  calling('pollFirst', (series) => series.pollFirst(), 'a', [TWO, LAST]),
  calling('pollFirst of several', (series) => series.pollFirst(2), ['a', 'b'], [TWO, NONE]),
  calling(
    'pollFirstEntries',
    (series) => series.pollFirstEntries(1),
    [{ timestamp: 1, value: 'a' }],
    [TWO, LAST],
  ),
  calling('pollLast', (series) => series.pollLast(), 'b', [TWO, ONE]),
  calling('pollLastEntry', (series) => series.pollLastEntry(), { timestamp: 2, value: 'b' }, [TWO, ONE]),
  calling('removeRange', (series) => series.removeRange(0, 1), 1, [TWO, LAST]),
]

testLostReplies('a time series', calls, look)

/** A call of a series that has one entry, while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  call: (series: RTimeSeries<string, string>) => Promise<unknown>,
  between: (series: RTimeSeries<string, string>) => Promise<unknown>,
  answer: unknown,
  rejects = true,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => seriesOf(client, name).add(1, 'a'),
    call: (client, name, exactlyOnce) => call(seriesOf(client, name, exactlyOnce)),
    between: (client, name) => between(seriesOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add, of what another polls',
    (series) => series.add(2, 'b'),
    (series) => series.pollLast(),
    undefined,
    false,
  ),
  overtaken(
    'remove, of what another adds',
    (series) => series.remove(1),
    (series) => series.add(1, 'c'),
    true,
  ),
  overtaken(
    'pollFirst, while another is added',
    (series) => series.pollFirst(),
    (series) => series.add(0, 'c'),
    'a',
  ),
  overtaken(
    'removeRange, while another is added',
    (series) => series.removeRange(0, 9),
    (series) => series.add(2, 'c'),
    1,
  ),
]

testOvertakenCalls('a time series', repeated, look)
