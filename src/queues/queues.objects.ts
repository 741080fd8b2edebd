export * from './deque/deque.object.js'
export * from './queue/queue.object.js'
