import type { GeoEntry, GeoSearchOptions, RedissonClient, RGeo } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** Members at whole degrees, or with scores that are distances, and those that are stored under another name. */
interface State {
  readonly members: readonly (readonly [member: string, longitude: number, latitude?: number])[]
  readonly stored?: readonly string[]
}

const geoOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getGeo<string>(name, { exactlyOnce })

/** Where searches are stored. */
const targetOf = (name: string) => `{${name}}:to`

/** More than any distance, and less than the score of any place of these tests. */
const A_PLACE = 1e12

const near = {
  from: { longitude: 1, latitude: 1 },
  radius: 1000,
  unit: 'km',
  order: 'ASC',
} as const satisfies GeoSearchOptions<string>

const NONE: State = { members: [] }
const ONE: State = { members: [['k', 1, 1]] }
const TWO: State = {
  members: [
    ['k', 1, 1],
    ['l', 5, 5],
  ],
}
const MOVED: State = { members: [['k', 2, 2]] }

const entry = (member: string, degrees: number): GeoEntry<string> => ({
  longitude: degrees,
  latitude: degrees,
  member,
})

/** More words than Lua hands to a function. */
const MANY = Array.from({ length: 4_500 }, (_, n) => [`v${String(n)}`, n % 80, n % 80] as const)
const manyEntries = MANY.map(([member, degrees]) => entry(member, degrees))
const SORTED_MANY: State = { members: MANY.toSorted(([one], [other]) => (one < other ? -1 : 1)) }

async function look(client: RedissonClient, name: string): Promise<Required<State>> {
  const geo = geoOf(client, name)
  const entries = await geo.readAllEntries()
  const places = await geo.pos(...entries.map(([member]) => member))
  const members = entries.map(([member, score]) => {
    const { longitude = 0, latitude = 0 } = places.get(member) ?? {}
    if (score < A_PLACE) return [member, Math.round(score)] as const
    return [member, Math.round(longitude), Math.round(latitude)] as const
  })
  const stored = await client.getScoredSortedSet<string>(targetOf(name)).readAll()
  return { members: members.toSorted(([one], [other]) => (one < other ? -1 : 1)), stored }
}

/** A call of a geo that has some members before, and others afterwards. */
function calling(
  what: string,
  call: (geo: RGeo<string>, target: string) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  const [before, after] = states.map(({ members, stored = [] }) => ({ members, stored }))
  return {
    what,
    prepare: async (client, name) => {
      const geo = geoOf(client, name)
      await geo.delete()
      await client.getKeys().delete(targetOf(name))
      await geo.add(...states[0].members.map(([member, degrees]) => entry(member, degrees)))
    },
    call: (client, name, exactlyOnce) => call(geoOf(client, name, exactlyOnce), targetOf(name)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (geo) => geo.add(5, 5, 'l'), true, [ONE, TWO]),
  calling('add of a large member', (geo) => geo.add(5, 5, LARGE), true, [NONE, { members: [[LARGE, 5, 5]] }]),
  calling('add of entries', (geo) => geo.add(entry('k', 1), entry('l', 5)), 1, [ONE, TWO]),
  calling('add of many', (geo) => geo.add(...manyEntries), MANY.length, [NONE, SORTED_MANY]),
  calling('tryAdd', (geo) => geo.tryAdd(5, 5, 'l'), true, [ONE, TWO]),
  calling('tryAdd of entries', (geo) => geo.tryAdd(entry('k', 9), entry('l', 5)), 1, [ONE, TWO]),
  calling('tryAdd of many', (geo) => geo.tryAdd(...manyEntries), MANY.length, [NONE, SORTED_MANY]),
  calling('addIfExists', (geo) => geo.addIfExists(2, 2, 'k'), true, [ONE, MOVED]),
  calling('addIfExists of entries', (geo) => geo.addIfExists(entry('k', 2), entry('l', 3)), 1, [ONE, MOVED]),
  calling('add of a score', (geo) => geo.add(7, 'l'), true, [
    ONE,
    {
      members: [
        ['k', 1, 1],
        ['l', 7],
      ],
    },
  ]),
  calling('storeSearchTo', (geo, to) => geo.storeSearchTo(to, near), 2, [
    TWO,
    { ...TWO, stored: ['k', 'l'] },
  ]),
  calling('storeSearchTo, in its own place', (geo) => geo.storeSearchTo(geo.name, { ...near, count: 1 }), 1, [
    TWO,
    ONE,
  ]),
  calling(
    'storeSearchTo, in its own place and without its center',
    (geo) => geo.storeSearchTo(geo.name, { ...near, from: { member: 'k' }, order: 'DESC', count: 1 }),
    1,
    [TWO, { members: [['l', 5, 5]] }],
  ),
  calling('storeSortedSearchTo', (geo, to) => geo.storeSortedSearchTo(to, near), 2, [
    TWO,
    { ...TWO, stored: ['k', 'l'] },
  ]),
  calling('storeSortedSearchTo, in its own place', (geo) => geo.storeSortedSearchTo(geo.name, near), 2, [
    TWO,
    {
      members: [
        ['k', 0],
        ['l', 629],
      ],
    },
  ]),
]

testLostReplies('a geo', calls, look)

/** A call of a geo that has one member, while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  call: (geo: RGeo<string>, target: string) => Promise<unknown>,
  between: (geo: RGeo<string>) => Promise<unknown>,
  answer: unknown,
  rejects = true,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => geoOf(client, name).add(1, 1, 'k'),
    call: (client, name, exactlyOnce) => call(geoOf(client, name, exactlyOnce), targetOf(name)),
    between: (client, name) => between(geoOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add',
    (geo) => geo.add(2, 2, 'new'),
    (geo) => geo.add(3, 3, 'new'),
    true,
  ),
  overtaken(
    'add of entries',
    (geo) => geo.add(entry('new', 2), entry('l', 2)),
    (geo) => geo.remove('l'),
    2,
  ),
  overtaken(
    'tryAdd, of what another removes',
    (geo) => geo.tryAdd(2, 2, 'new'),
    (geo) => geo.remove('new'),
    true,
  ),
  overtaken(
    'tryAdd of entries, of what another removes',
    (geo) => geo.tryAdd(entry('new', 2)),
    (geo) => geo.remove('new'),
    1,
  ),
  overtaken(
    'addIfExists, of what another removes',
    (geo) => geo.addIfExists(2, 2, 'k'),
    (geo) => geo.remove('k'),
    true,
  ),
  overtaken(
    'addIfExists, of what another moves',
    (geo) => geo.addIfExists(2, 2, 'k'),
    (geo) => geo.add(3, 3, 'k'),
    true,
    false,
  ),
  overtaken(
    'addIfExists of entries, one of which another removes',
    (geo) => geo.addIfExists(entry('k', 2)),
    (geo) => geo.remove('k'),
    1,
  ),
  overtaken(
    'storeSearchTo, while another is added',
    (geo, to) => geo.storeSearchTo(to, near),
    (geo) => geo.add(1, 2, 'new'),
    1,
    false,
  ),
  overtaken(
    'storeSearchTo around a member that another removes',
    (geo, to) => geo.storeSearchTo(to, { ...near, from: { member: 'k' } }),
    async (geo) => {
      await geo.add(1, 1, 'other')
      await geo.remove('k')
    },
    1,
  ),
  overtaken(
    'storeSortedSearchTo in its own place',
    (geo) => geo.storeSortedSearchTo(geo.name, near),
    (geo) => geo.add(1, 2, 'new'),
    1,
  ),
]

testOvertakenCalls('a geo', repeated, look)
