import type { SignalledObjects } from '../api/signalled-objects.js'
import type { RequestObjects } from '../services/services.api.js'
import * as collections from '../collections/collections.objects.js'
import * as counters from '../counters/counters.objects.js'
import * as objects from '../objects/objects.objects.js'
import * as probabilistic from '../probabilistic/probabilistic.objects.js'
import * as topics from '../topics/topics.objects.js'
import * as queues from '../queues/queues.objects.js'
import * as streams from '../streams/streams.objects.js'
import * as requests from '../services/services.objects.js'
import { SignalledExecutor } from '../command/signalled-executor.js'
import { neededSignal } from '../core/arguments/arguments.js'
import { handingOut, type Factories, type FactoryContext } from '../core/context/factories.js'
import type { ObjectContext } from '../core/context/object-context.js'

/** Objects that are data and nothing else: a client hands them out, with or without a signal, and so does a batch. */
export const DATA: Factories<Omit<SignalledObjects, keyof RequestObjects>> = {
  ...objects,
  ...probabilistic,
  ...counters,
  ...collections,
  ...queues,
  ...streams,
  ...topics,
}

/** What else has calls that are requests and nothing more. */
export const REQUESTS: Factories<RequestObjects> = requests

/** Hands out objects that are data and nothing else, by name, for a batch. */
export class DataObjects extends handingOut(DATA) {}

/** Hands out the objects whose calls a signal ends, by name. */
class ObjectsWithSignal extends handingOut<SignalledObjects, ObjectContext>({ ...DATA, ...REQUESTS }) {}

/** The same objects, whose calls a signal ends. */
export function withSignal({ context, shared }: FactoryContext, signal: AbortSignal): SignalledObjects {
  const executor = new SignalledExecutor(context.executor, neededSignal(signal))
  const masters = context.masters.withSignal(executor.signal)
  return new ObjectsWithSignal({ context: { ...context, executor, masters }, shared })
}
