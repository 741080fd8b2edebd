export * from './deque/deque.object.js'
export * from './queue/queue.object.js'
export * from './ring-buffer/ring-buffer.object.js'
