import type { RAtomicDouble } from '../../../src/index.js'
import { dataObject } from '../../contracts/subject.js'
import { operand } from '../../contracts/takes.js'
import { counter } from '../shared/counter.samples.js'

export const atomicDouble = dataObject<RAtomicDouble>({
  make: (client, name) => client.getAtomicDouble(name),
  methods: counter(Number.isFinite, operand),
})
