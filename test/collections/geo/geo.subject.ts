import type { RGeo } from '../../../src/index.js'
import {
  method,
  dataObject,
  fromReplica,
  isObject,
  number,
  orUndefined,
  overloaded,
  real,
  truth,
  times,
} from '../../contracts/subject.js'
import { many, one, only, options, value, whole } from '../../contracts/takes.js'
import { scoredSet } from '../scored-sorted-set/scored-sorted-set.subject.js'

const degrees = one(13.4, 0, -85, 180, 200)
const place = { longitude: degrees, latitude: degrees }
const entry = options({}, { ...place, member: value })
const unit = one('m', 'km', 'mi', 'ft')
const length = one(1, 0, 1e6, -1, Infinity)
const order = one('ASC', 'DESC')
const inCircle = options({ order, count: whole(0, 3) }, { from: options({}, place), radius: length, unit })
const box = options({}, { width: length, height: length })
const inBox = options({ order, countAny: whole(0, 3) }, { from: options({}, { member: value }), box, unit })
const destination = only('renamed', '', 7, null, undefined)

/** Some return how many have been added. */
const added = (answer: unknown) => truth(answer) || number(answer)
const addForms = [[degrees, degrees, value], [many(entry)]]

export const geo = dataObject<RGeo<unknown>>({
  make: (client, name) => client.getGeo(name),
  fill: (made) => made.add({ longitude: 1, latitude: 2, member: 'two' }),
  use: async (made) => [
    await made.add(5, 6, 'c'),
    await made.dist('two', 'c', 'km'),
    await made.search({ from: { member: 'c' }, radius: 900, unit: 'km', order: 'ASC' }),
  ],
  events: {
    ...scoredSet.events,
    added: times(3, async (made) => {
      await made.add(1, 2, 'a')
      await made.tryAdd(1, 2, 'a')
      await made.addIfExists(3, 4, 'a')
      await made.add({ longitude: 1, latitude: 2, member: 'b' }, { longitude: 1, latitude: 2, member: 'c' })
    }),
    stored: times(2, async (made) => {
      await made.add(1, 2, 'a')
      const near = { from: { member: 'a' }, radius: 1, unit: 'm' } as const
      await made.storeSearchTo(made.name, near)
      await made.storeSortedSearchTo(made.name, near)
    }),
  },
  methods: {
    ...scoredSet.methods,
    add: overloaded(added, ...addForms),
    tryAdd: overloaded(added, ...addForms),
    addIfExists: overloaded(added, ...addForms),
    ...fromReplica({
      dist: method(orUndefined(real), value, value, unit),
      hash: method(isObject, many(value)),
      pos: method(isObject, many(value)),
      search: overloaded(isObject, [inCircle], [inBox]),
      searchWithDistance: overloaded(isObject, [inCircle], [inBox]),
      searchWithPosition: overloaded(isObject, [inCircle], [inBox]),
    }),
    storeSearchTo: overloaded(number, [destination, inCircle], [destination, inBox]),
    storeSortedSearchTo: overloaded(number, [destination, inCircle], [destination, inBox]),
  },
})
