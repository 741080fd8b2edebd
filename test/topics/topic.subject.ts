import type { RPatternTopic, RTopic, Subscription } from '../../src/index.js'
import { disposable } from '../contracts/samples.js'
import { asked, isObject, nothing, number, quiet, told, walk, type Subject } from '../contracts/subject.js'
import { aborting, listener, one, options, signal, value, whole } from '../contracts/takes.js'

const listening = {
  messages: walk(
    options({
      signal,
      buffer: whole(0, 9),
      overflow: one('error', 'dropOldest', 'dropNewest'),
      onGap: listener,
    }),
  ),
  ...quiet({
    addListener: asked(isObject, listener, aborting),
    removeListener: asked(nothing, listener),
    removeAllListeners: asked(nothing),
  }),
  countListeners: told(number),
}
const methods = { ...listening, publish: asked(number, value), countSubscribers: asked(number) }
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
  methods: { ...listening, getActiveTopics: asked(Array.isArray) },
}

export const subscription: Subject<Subscription> = {
  make: (client, name) => client.getTopic(name).addListener(() => undefined),
  methods: {
    ...disposable,
    on: told(isObject, event, listener),
    off: told(isObject, event, listener),
    unsubscribe: asked(nothing),
  },
  free: (client, name) => client.getTopic(name).removeAllListeners(),
}
