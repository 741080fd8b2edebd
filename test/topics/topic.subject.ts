import type { RPatternTopic, RTopic, Subscription } from '../../src/index.js'
import { disposable } from '../contracts/samples.js'
import {
  method,
  isObject,
  nothing,
  number,
  quiet,
  sync,
  iteration,
  type Subject,
} from '../contracts/subject.js'
import { aborting, listener, one, options, signal, value, whole } from '../contracts/takes.js'

const listening = {
  messages: iteration(
    options({
      signal,
      buffer: whole(0, 9),
      overflow: one('error', 'dropOldest', 'dropNewest'),
      onGap: listener,
    }),
  ),
  ...quiet({
    addListener: method(isObject, listener, aborting),
    removeListener: method(nothing, listener),
    removeAllListeners: method(nothing),
  }),
  countListeners: sync(number),
}
const methods = { ...listening, publish: method(number, value), countSubscribers: method(number) }
const event = one('error', 'gap')

export const topic: Subject<RTopic<unknown>> = {
  make: (client, name) => client.getTopic(name),
  takesSignal: true,
  methods,
}

export const shardedTopic: Subject<RTopic<unknown>> = {
  make: (client, name) => client.getShardedTopic(name),
  takesSignal: true,
  methods,
}

export const patternTopic: Subject<RPatternTopic<unknown>> = {
  make: (client, name) => client.getPatternTopic(`${name}*`),
  takesSignal: true,
  methods: { ...listening, getActiveTopics: method(Array.isArray) },
}

export const subscription: Subject<Subscription> = {
  make: (client, name) => client.getTopic(name).addListener(() => undefined),
  methods: {
    ...disposable,
    on: sync(isObject, event, listener),
    off: sync(isObject, event, listener),
    unsubscribe: method(nothing),
  },
  free: (client, name) => client.getTopic(name).removeAllListeners(),
}
