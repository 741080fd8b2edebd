import { call } from './call.js'
import { hold } from './hold.js'
import { iterate } from './iterate.js'
import { keep } from './keep.js'
import { loop } from './loop.js'
import { pingPong } from './ping-pong.js'
import { publish } from './publish.js'
import { queue } from './queue.js'
import { wave } from './wave.js'

/** All tasks of a process. */
export const tasks = { loop, wave, pingPong, hold, queue, keep, call, publish, iterate } as const

export type TaskName = keyof typeof tasks
