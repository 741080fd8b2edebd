import { adding, readingAll } from './group-messages.js'
import { keyOf, valueOf, valuesOf, type Caller, type DataMethods } from './method.js'

export const topicMethods: DataMethods = {
  publish: adding((caller) => topicOf(caller).publish(valueOf(caller.args))),
  size: { run: (caller) => topicOf(caller).size(), effects: () => [] },
  readAll: readingAll(false),
  /** A call of a listener. A message whose listener has returned is acknowledged later, if at all. */
  listen: {
    effects: (args) => {
      const [cell, element] = [keyOf(args), valueOf(args)]
      return [
        { is: 'contained', cell, element, isFirst: true },
        { is: 'take', cell, elements: valuesOf(args), most: 1, how: 'later' },
      ]
    },
  },
}

function topicOf({ source, name, options }: Caller) {
  return source.getReliableTopic<string>(name, options)
}
