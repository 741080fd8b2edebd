import type { RDoubleAdder, RedissonClient, RLongAdder } from '../../../src/index.js'
import { disposable, dumpable, expirable } from '../../contracts/samples.js'
import {
  method,
  bigint,
  nothing,
  number,
  real,
  sync,
  quiet,
  type Sample,
  type Subject,
} from '../../contracts/subject.js'
import { operand, polling } from '../../contracts/takes.js'

type Adder = RLongAdder | RLongAdder<bigint> | RDoubleAdder

const adder = (
  make: (client: RedissonClient, name: string) => Adder,
  sound: Sample['isSound'],
): Subject<Adder> => ({
  make,
  methods: {
    ...expirable,
    ...quiet(dumpable),
    ...disposable,
    add: sync(nothing, operand),
    increment: sync(nothing),
    decrement: sync(nothing),
    sum: method(sound, polling),
    reset: method(nothing, polling),
    destroy: method(nothing),
  },
  free: (client, name) => make(client, name).sum(),
})

export const longAdder = adder((client, name) => client.getLongAdder(name), number)
export const wholeAdder = adder((client, name) => client.getLongAdder(name, { bigint: true }), bigint)
export const doubleAdder = adder((client, name) => client.getDoubleAdder(name), real)
