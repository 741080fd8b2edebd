import type { RClientSideCaching } from '../../../src/index.js'
import { disposable } from '../../contracts/samples.js'
import { handsOut, method, nothing, type Subject } from '../../contracts/subject.js'
import { name, valueOptions } from '../../contracts/takes.js'

const getter = handsOut(name, valueOptions)

export const clientSideCaching: Subject<RClientSideCaching> = {
  make: (client) => client.getClientSideCaching(),
  methods: {
    ...disposable,
    destroy: method(nothing),
    getBucket: getter,
    getList: getter,
    getSet: getter,
    getMap: getter,
    getScoredSortedSet: getter,
    getGeo: getter,
    getQueue: getter,
    getDeque: getter,
    getBlockingQueue: getter,
    getBlockingDeque: getter,
    getStream: getter,
  },
}
