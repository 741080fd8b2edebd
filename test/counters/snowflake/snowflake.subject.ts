import type { RSnowflake } from '../../../src/index.js'
import { disposable, dumpable, expirable } from '../../contracts/samples.js'
import { method, bigint, isObject, sync, quiet, type Subject } from '../../contracts/subject.js'
import { howMany, one, polling } from '../../contracts/takes.js'

/** Gives the number back, so that no bounds outlast the object. */
const use = async (made: RSnowflake) => {
  await made.nextId()
  const { node } = made
  await made[Symbol.asyncDispose]()
  return node
}

export const snowflake: Subject<RSnowflake> = {
  make: (client, name) => client.getSnowflake(name, { nodeBits: 4 }),
  fill: use,
  use,
  free: (client, name) => client.getSnowflake(name).delete(),
  methods: {
    ...expirable,
    ...quiet(dumpable),
    ...disposable,
    nextId: method(bigint, polling),
    nextIds: method(Array.isArray, howMany, polling),
    partsOf: sync(isObject, one(1n, 0n, 2n ** 62n, 2n ** 63n, -1n, 5)),
  },
}
