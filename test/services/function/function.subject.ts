import type { RFunction } from '../../../src/index.js'
import { anything, asked, isObject, nothing, type Subject } from '../../contracts/subject.js'
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
    call: sent(asked(anything, mode, one('fuzz', 'fuzz_ro', 'none'), returns, called, values)),
    load: sent(asked(nothing, library, code)),
    loadAndReplace: sent(asked(nothing, library, code)),
    delete: sent(asked(nothing, library)),
    list: asked(Array.isArray, one('*', 'fuzz?d')),
    flush: asked(nothing),
    dump: asked(isObject),
    restore: sent(asked(nothing, state)),
    restoreAndReplace: sent(asked(nothing, state)),
    restoreAfterFlush: sent(asked(nothing, state)),
  },
  free: async (client) => {
    await client.getFunction().flush()
    await client.getKeys().delete('called')
  },
}

export { functions as function }
