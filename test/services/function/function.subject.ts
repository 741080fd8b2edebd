import type { RFunction } from '../../../src/index.js'
import { anything, method, isObject, nothing, type Subject } from '../../contracts/subject.js'
import { list, one } from '../../contracts/takes.js'
import { mode, returns, sent, values } from '../shared/scripting.js'

const FUZZED =
  "redis.register_function('fuzz', function(keys, args) return redis.call('set', keys[1], args[1]) end)"
const library = one('fuzzed', 'fuzzed2')
const code = one(FUZZED, "redis.register_function('fuzz_ro', function() return 1 end)", 'error()')
const state = one(Buffer.from('no libraries'), Buffer.alloc(0))
const called = list(one('called'), ['called'], [])

const functions: Subject<RFunction<unknown>> = {
  make: (client) => client.getFunction(),
  takesSignal: true,
  fill: (made) => made.loadAndReplace('fuzzed', FUZZED),
  methods: {
    call: sent(method(anything, mode, one('fuzz', 'fuzz_ro', 'none'), returns, called, values)),
    load: sent(method(nothing, library, code)),
    loadAndReplace: sent(method(nothing, library, code)),
    delete: sent(method(nothing, library)),
    list: method(Array.isArray, one('*', 'fuzz?d')),
    flush: method(nothing),
    dump: method(isObject),
    restore: sent(method(nothing, state)),
    restoreAndReplace: sent(method(nothing, state)),
    restoreAfterFlush: sent(method(nothing, state)),
  },
  free: async (client) => {
    await client.getFunction().flush()
    await client.getKeys().delete('called')
  },
}

export { functions as function }
