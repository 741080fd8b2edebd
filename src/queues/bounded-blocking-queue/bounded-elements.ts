import { plainElements, popAt, pushAt, rankOf, type MovableElements } from '../blocking-queue/elements.js'
import { boundedQueuePlaces, semaphoreChannel } from '../../core/context/names.js'
import * as scripts from './bounded-blocking-queue.scripts.js'

/** The other keys of a queue: how many more elements it has room for, and the channel of those who wait for room. */
export function roomOf(queue: string) {
  const places = boundedQueuePlaces(queue)
  return { places, channel: semaphoreChannel(places) }
}

/** Those of queues that have a capacity. An element gives its place back in the step in which it is removed. */
export const boundedElements: MovableElements = {
  kind: 'bounded',

  pop: (requests, keys, { end, count }, options) => {
    const queues = keys.flatMap((key) => [key, roomOf(key).places, roomOf(key).channel])
    return requests.run(scripts.poll, { keys: { queues }, args: { pop: popAt(end), count } }, options)
  },

  putBack: (requests, { end, values }, options) => {
    const { places } = roomOf(requests.key)
    return requests.ask(scripts.putBack, { push: pushAt(end), values }, { places }, options)
  },

  moveLast: async (requests, target, options) => {
    const args = { pop: popAt('last'), push: pushAt('first'), count: 1, exactly: 0 }
    const others = { ...roomOf(requests.key), target, targetPlaces: roomOf(target).places }
    return (await requests.ask(scripts.move, args, others, options))[0]
  },

  moveFirst: (requests, target, what, options) => {
    const args = { pop: popAt('first'), push: pushAt('last'), ...what }
    const others = { ...roomOf(requests.key), target, targetPlaces: roomOf(target).places }
    return requests.ask(scripts.move, args, others, options)
  },

  moveBack: (requests, { end, values, target, targetEnd }, options) => {
    const { places } = roomOf(requests.key)
    const { places: targetPlaces, channel: targetChannel } = roomOf(target)
    const args = { push: pushAt(end), from: rankOf(targetEnd), values }
    return requests.ask(scripts.moveBack, args, { places, target, targetPlaces, targetChannel }, options)
  },

  size: plainElements.size,
}
