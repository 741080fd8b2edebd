import type { RListMultimapCacheNative, RSetMultimapCacheNative } from '../../../src/index.js'
import { dataObject, fromMaster, method, truth } from '../../contracts/subject.js'
import { key, leaseMs } from '../../contracts/takes.js'
import { listMultimap, setMultimap } from '../multimap/multimap.subject.js'

/** Reads of values are the master's, since they may remove those of a key that has ended. */
const { getAll, containsKey, containsEntry } = setMultimap.methods
const reads = fromMaster({ getAll, containsKey, containsEntry })

/** With a server that does not know the ends of fields, the call is refused. */
const ofCache = { ...reads, expireKey: method(truth, key, leaseMs) }

export const setMultimapCacheNative = dataObject<RSetMultimapCacheNative<string, unknown>>({
  ...setMultimap,
  make: (client, name) => client.getSetMultimapCacheNative(name),
  methods: { ...setMultimap.methods, ...ofCache },
})

export const listMultimapCacheNative = dataObject<RListMultimapCacheNative<string, unknown>>({
  ...listMultimap,
  make: (client, name) => client.getListMultimapCacheNative(name),
  methods: { ...listMultimap.methods, ...ofCache },
})
