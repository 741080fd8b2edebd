import type { RAtomicLong } from '../../../src/index.js'
import { bigint, dataObject, number } from '../../contracts/subject.js'
import { bigOperand, operand } from '../../contracts/takes.js'
import { counter } from '../shared/counter.samples.js'

export const atomicLong = dataObject<RAtomicLong>({
  make: (client, name) => client.getAtomicLong(name),
  methods: counter(number, operand),
})

export const atomicBigint = dataObject<RAtomicLong<bigint>>({
  make: (client, name) => client.getAtomicLong(name, { bigint: true }),
  methods: counter(bigint, bigOperand),
})
