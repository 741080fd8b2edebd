import type { RKeys } from '../../../src/index.js'
import { iterable } from '../../contracts/samples.js'
import {
  method,
  fromReplica,
  nothing,
  number,
  orUndefined,
  quiet,
  text,
  truth,
  iteration,
  type Sample,
  type Subject,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { flag, many, one, only, options, whole } from '../../contracts/takes.js'

const name = only('key', 'other-key', '', 7, null, undefined)
const pattern = only('key*', 'other-k?y', '', 7, undefined)
const harmful = (sample: Sample): Sample => ({ ...sample, harmsOthers: true })

export const keys: Subject<RKeys> = {
  make: (client) => client.getKeys(),
  takesSignal: true,
  methods: {
    ...iterable,
    getKeys: iteration(
      options({
        pattern: one('*', 'key*'),
        type: one('string', 'hash'),
        count: whole(0, 9),
        limit: whole(0, 9),
        onInvalid: takes.onInvalid,
        signal: takes.signal,
      }),
    ),
    count: method(number),
    ...fromReplica({
      countExists: method(number, many(name)),
      getType: method(orUndefined(text), name),
      remainTimeToLive: method(number, name),
    }),
    randomKey: method(orUndefined(text)),
    ...quiet({ getSlot: method(number, name) }),
    delete: method(number, many(name)),
    unlink: method(number, many(name)),
    deleteByPattern: method(number, pattern),
    unlinkByPattern: method(number, pattern),
    touch: method(number, many(name)),
    rename: method(nothing, name, name),
    renamenx: method(truth, name, name),
    copy: method(truth, name, name, options({ replace: flag, database: takes.database })),
    move: method(truth, name, takes.database),
    expire: method(truth, name, takes.time),
    clearExpire: method(truth, name),
    flushdb: harmful(method(nothing)),
    flushdbParallel: harmful(method(nothing)),
    flushall: harmful(method(nothing)),
    flushallParallel: harmful(method(nothing)),
    swapdb: harmful(method(nothing, takes.database, takes.database)),
  },
  free: (client) => client.getKeys().delete('key', 'other-key'),
}
