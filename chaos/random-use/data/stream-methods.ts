import type { Effect } from './effects.js'
import { adding, FIELD, readingAll } from './group-messages.js'
import { keyOf, valueOf, valuesOf, type Caller, type DataMethods } from './method.js'

export const streamMethods: DataMethods = {
  add: adding((caller) => streamOf(caller).add({ [FIELD]: valueOf(caller.args) })),
  size: { run: (caller) => streamOf(caller).size(), effects: () => [] },
  readAll: readingAll(true),
  /** A loop, from its beginning to its end: it may hand out what another one has acknowledged meanwhile. */
  consume: {
    effects: (args, reply) =>
      ((reply?.result as string[] | undefined) ?? []).map((element): Effect => ({
        is: 'contained',
        cell: keyOf(args),
        element,
      })),
  },
  ack: {
    effects: (args) => [{ is: 'take', cell: keyOf(args), elements: valuesOf(args), most: 1, how: 'shared' }],
  },
  nack: { effects: () => [] },
}

function streamOf({ source, name, options }: Caller) {
  return source.getStream<string, string>(name, options)
}
