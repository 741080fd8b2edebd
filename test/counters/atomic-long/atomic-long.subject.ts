import type { RAtomicLong } from '../../../src/index.js'
import { bigint, deletable, number } from '../../contracts/subject.js'
import { bigOperand, operand } from '../../contracts/takes.js'
import { counter } from '../shared/counter.samples.js'

export const atomicLong = deletable<RAtomicLong>({
  make: (client, name) => client.getAtomicLong(name),
  methods: counter(number, operand),
})

export const atomicBigint = deletable<RAtomicLong<bigint>>({
  make: (client, name) => client.getAtomicLong(name, { bigint: true }),
  methods: counter(bigint, bigOperand),
})
