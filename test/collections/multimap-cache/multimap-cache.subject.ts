import type { RListMultimapCache, RSetMultimapCache } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import { dataObject, fromMaster, method, truth } from '../../contracts/subject.js'
import { key, leaseMs } from '../../contracts/takes.js'
import { listMultimap, setMultimap } from '../multimap/multimap.subject.js'

/** All is the master's, since all of it may remove keys that have ended. */
const ofCache = {
  ...fromMaster({ touch: expirable.touch }),
  expireKey: method(truth, key, leaseMs),
}

const { getAll, containsKey, containsEntry, readAllKeySet } = setMultimap.methods
const reads = fromMaster({ getAll, containsKey, containsEntry, readAllKeySet })

export const setMultimapCache = dataObject<RSetMultimapCache<string, unknown>>({
  ...setMultimap,
  make: (client, name) => client.getSetMultimapCache(name),
  methods: { ...setMultimap.methods, ...reads, ...ofCache },
})

export const listMultimapCache = dataObject<RListMultimapCache<string, unknown>>({
  ...listMultimap,
  make: (client, name) => client.getListMultimapCache(name),
  methods: { ...listMultimap.methods, ...reads, ...ofCache },
})
