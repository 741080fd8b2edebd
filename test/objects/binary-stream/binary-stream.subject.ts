import { Stream } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { RBinaryStream } from '../../../src/index.js'
import { bucketMethods } from '../../contracts/samples.js'
import {
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  sync,
  times,
} from '../../contracts/subject.js'
import { bytes, nullable, one, options, signal, whole } from '../../contracts/takes.js'

const chunk = nullable(bytes) // which its codec refuses
const place = whole(0, 20)
const reading = options({ start: place, end: place, highWaterMark: place, signal })
const writing = options({ flags: one('r+', 'a', 'w'), start: place, highWaterMark: place, signal })

/** Whether it is a stream, whose errors go to its listeners. */
const isHeard = (value: unknown) => value instanceof Stream && value.on('error', () => undefined) === value

export const binaryStream = dataObject<RBinaryStream>({
  make: (client, name) => client.getBinaryStream(name),
  fill: (made) => made.set(Buffer.from('one')),
  use: async (made) => [await made.append(Buffer.of(4)), await made.write(1, Buffer.of(2)), await made.get()],
  events: {
    set: times(1, (made) => made.set(Buffer.of(1))),
    changed: times(4, async (made) => {
      await made.append(Buffer.of(1, 2))
      await made.write(1, Buffer.of(3))
      await made.read(0, 1)
      await made.truncate(1)
      await finished(made.createWriteStream().end('a'))
    }),
  },
  methods: {
    ...bucketMethods(chunk),
    createReadStream: sync(isHeard, reading),
    createWriteStream: sync(isHeard, writing),
    readable: sync(isObject, reading),
    writable: sync(isObject, writing),
    ...fromReplica({
      read: method(isObject, place, place),
    }),
    write: method(number, place, chunk),
    append: method(number, chunk),
    truncate: method(nothing, place),
  },
})
