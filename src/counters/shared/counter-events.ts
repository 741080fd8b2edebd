import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'

/** The events of a counter. */
export const COUNTER_EVENTS: EventSources = {
  ...OBJECT_EVENTS,
  set: { names: ['set'], flag: '$' },
  incremented: { names: ['incrby', 'incrbyfloat'], flag: '$' },
}
