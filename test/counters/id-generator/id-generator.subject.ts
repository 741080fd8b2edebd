import type { RedissonClient, RIdGenerator } from '../../../src/index.js'
import { dumpable, expirable } from '../../contracts/samples.js'
import { method, bigint, number, quiet, truth, type Sample, type Subject } from '../../contracts/subject.js'
import { bigOperand, operand, type Argument } from '../../contracts/takes.js'

type Ids = RIdGenerator | RIdGenerator<bigint>

const generator = (
  make: (client: RedissonClient, name: string) => Ids,
  sound: Sample['isSound'],
  operand: Argument,
): Subject<Ids> => ({
  make,
  takesSignal: true,
  readsAtMaster: true,
  methods: {
    ...expirable,
    ...quiet(dumpable),
    tryInit: method(truth, operand, operand),
    nextId: method(sound),
  },
  free: async (client, name) => {
    const ids = client.getIdGenerator(name)
    await ids.delete()
    await ids.tryInit(1, 1)
    await ids.nextId()
    await ids.delete()
  },
})

export const idGenerator: Subject<Ids> = {
  ...generator((client, name) => client.getIdGenerator(name), number, operand),
  fill: (made: RIdGenerator) => made.tryInit(7, 2),
  use: async (made) => [await made.nextId(), await made.nextId(), await made.nextId()],
}
export const bigintGenerator = generator(
  (client, name) => client.getIdGenerator(name, { bigint: true }),
  bigint,
  bigOperand,
)
