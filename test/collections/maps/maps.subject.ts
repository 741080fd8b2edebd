import type { RMaps, RMapsImport } from '../../../src/index.js'
import { disposable } from '../../contracts/samples.js'
import { handsOut, method, nothing, type Subject } from '../../contracts/subject.js'
import { key, list, one, options, value, whole } from '../../contracts/takes.js'

const batchSize = whole(0, 4)
const NAMES = ['map', 'waitMs', '__proto__', 'constructor']
const maps = one({ map: { a: 1 } }, new Map([['map', new Map([['a', 1]])]]), [['map', { b: 2 }]], { map: {} })

export const severalMaps: Subject<RMaps<string, unknown>> = {
  make: (client) => client.getMaps(),
  takesSignal: true,
  methods: {
    set: method(nothing, maps, options({ batchSize })),
    createImport: handsOut(options({ batchSize }, { fields: list(key, ['a', 'b'], ['a'], []) })),
  },
  // The fuzzing may pass other records, of which each property is a map.
  free: (client) => client.getKeys().delete(...NAMES),
}

export const mapsImport: Subject<RMapsImport<unknown>> = {
  make: (client) => client.getMaps().createImport({ fields: ['a'], batchSize: 1 }),
  methods: {
    ...disposable,
    add: method(nothing, one('map'), list(value, [1], ['two'])),
    flush: method(nothing),
  },
  free: (client) => client.getKeys().delete(...NAMES),
}
