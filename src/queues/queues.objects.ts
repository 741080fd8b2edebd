export * from './blocking-deque/blocking-deque.object.js'
export * from './blocking-queue/blocking-queue.object.js'
export * from './deque/deque.object.js'
export * from './queue/queue.object.js'
