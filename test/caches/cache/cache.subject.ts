import type { RCache } from '../../../src/index.js'
import {
  anything,
  isObject,
  method,
  nothing,
  number,
  sync,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { list, listener, name, one, options, signal } from '../../contracts/takes.js'

const names = list(name, ['a', 'b'], new Set(['a']))
const entry = options(takes.cacheEntry)
const loading = options({ ...takes.cacheLoad, signal })
const wrapping = options({ ...takes.cacheLoad, signal }, { key: takes.fnOf({ 'a key': () => () => 'a' }) })
const event = one('loaded', 'loadFailed', 'redisDown', 'redisUp')

export const cache: Subject<RCache<unknown>> = {
  make: (client, name) => client.getCache(name, { ttlMs: 600_000 }),
  isBesideItsName: true,
  methods: {
    getOrLoad: method(anything, name, takes.fn, loading),
    get: method(anything, name),
    has: method(truth, name),
    set: method(nothing, name, takes.value, entry),
    delete: method(truth, name),
    getMany: method(isObject, names),
    setMany: method(nothing, takes.entries, entry),
    deleteMany: method(number, names),
    clear: method(nothing),
    deleteTag: method(nothing, name),
    expireTag: method(nothing, name),
    wrap: sync((value) => typeof value === 'function', takes.fn, wrapping),
    destroy: sync(nothing),
    on: sync(isObject, event, listener),
    once: sync(isObject, event, listener),
    off: sync(isObject, event, listener),
  },
}
