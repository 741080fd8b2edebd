import { hold } from './hold.js'
import { keep } from './keep.js'
import { loop } from './loop.js'
import { pingPong } from './ping-pong.js'
import { queue } from './queue.js'
import { wave } from './wave.js'

/** All that a process can be told to do. */
export const tasks = { loop, wave, pingPong, hold, queue, keep } as const

export type TaskName = keyof typeof tasks
