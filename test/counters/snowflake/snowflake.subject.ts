import type { RSnowflake } from '../../../src/index.js'
import { disposable, expirable } from '../../contracts/samples.js'
import { asked, bigint, deletable, isObject, told } from '../../contracts/subject.js'
import { howMany, one, polling } from '../../contracts/takes.js'

export const snowflake = deletable<RSnowflake>({
  make: (client, name) => client.getSnowflake(name, { nodeBits: 4 }),
  methods: {
    ...expirable,
    ...disposable,
    nextId: asked(bigint, polling),
    nextIds: asked(Array.isArray, howMany, polling),
    partsOf: told(isObject, one(1n, 0n, 2n ** 62n, 2n ** 63n, -1n, 5)),
  },
})
