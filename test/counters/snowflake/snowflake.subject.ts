import type { RSnowflake } from '../../../src/index.js'
import { disposable, expirable } from '../../contracts/samples.js'
import { method, bigint, isObject, sync, type Subject } from '../../contracts/subject.js'
import { howMany, one, polling } from '../../contracts/takes.js'

export const snowflake: Subject<RSnowflake> = {
  make: (client, name) => client.getSnowflake(name, { nodeBits: 4 }),
  free: (client, name) => client.getSnowflake(name).delete(),
  methods: {
    ...expirable,
    ...disposable,
    nextId: method(bigint, polling),
    nextIds: method(Array.isArray, howMany, polling),
    partsOf: sync(isObject, one(1n, 0n, 2n ** 62n, 2n ** 63n, -1n, 5)),
  },
}
