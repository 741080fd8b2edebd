import type { RAtomicLong } from '../../../src/index.js'
import { bigint, dataObject, number } from '../../contracts/subject.js'
import { bigOperand, operand } from '../../contracts/takes.js'
import { counter, counterEvents } from '../shared/counter.samples.js'

export const atomicLong = dataObject<RAtomicLong>({
  make: (client, name) => client.getAtomicLong(name),
  fill: (made) => made.addAndGet(3),
  use: async (made) => [await made.get(), await made.getAndAdd(2)],
  events: counterEvents(-5),
  methods: counter(number, operand),
})

export const atomicBigint = dataObject<RAtomicLong<bigint>>({
  make: (client, name) => client.getAtomicLong(name, { bigint: true }),
  events: counterEvents(-5n),
  methods: counter(bigint, bigOperand),
})
