import type { RAtomicDouble } from '../../../src/index.js'
import { dataObject } from '../../contracts/subject.js'
import { operand } from '../../contracts/takes.js'
import { counter, counterEvents } from '../shared/counter.samples.js'

export const atomicDouble = dataObject<RAtomicDouble>({
  make: (client, name) => client.getAtomicDouble(name),
  fill: (made) => made.addAndGet(2.5),
  use: async (made) => [await made.get(), await made.getAndAdd(0.25)],
  events: counterEvents(0.5),
  methods: counter(Number.isFinite, operand),
})
