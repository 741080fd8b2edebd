import type { RKeys } from '../../../src/index.js'
import { iterable } from '../../contracts/samples.js'
import {
  asked,
  fromReplica,
  nothing,
  number,
  orUndefined,
  quiet,
  text,
  truth,
  walk,
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
    getKeys: walk(
      options({
        pattern: one('*', 'key*'),
        type: one('string', 'hash'),
        count: whole(0, 9),
        limit: whole(0, 9),
        onInvalid: takes.onInvalid,
        signal: takes.signal,
      }),
    ),
    count: asked(number),
    ...fromReplica({
      countExists: asked(number, many(name)),
      getType: asked(orUndefined(text), name),
      remainTimeToLive: asked(number, name),
    }),
    randomKey: asked(orUndefined(text)),
    ...quiet({ getSlot: asked(number, name) }),
    delete: asked(number, many(name)),
    unlink: asked(number, many(name)),
    deleteByPattern: asked(number, pattern),
    unlinkByPattern: asked(number, pattern),
    touch: asked(number, many(name)),
    rename: asked(nothing, name, name),
    renamenx: asked(truth, name, name),
    copy: asked(truth, name, name, options({ replace: flag, database: takes.database })),
    move: asked(truth, name, takes.database),
    expire: asked(truth, name, takes.time),
    clearExpire: asked(truth, name),
    flushdb: harmful(asked(nothing)),
    flushdbParallel: harmful(asked(nothing)),
    flushall: harmful(asked(nothing)),
    flushallParallel: harmful(asked(nothing)),
    swapdb: harmful(asked(nothing, takes.database, takes.database)),
  },
  free: (client) => client.getKeys().delete('key', 'other-key'),
}
