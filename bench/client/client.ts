import { Redis } from 'ioredis'
import { hear, tell } from '../../test/support/child-side.js'
import type { ClientSettings } from '../contenders/contender.js'
import { contenderNamed } from '../contenders/contenders.js'
import { firstOf } from '../contenders/first-of.js'
import { countSentCommands } from './sent-commands.js'
import { tasks, type TaskName } from './tasks/tasks.js'

// A process that uses one contender, and does one task after the other.
const { contender, servers, leaseMs } = JSON.parse(process.argv[2] ?? '') as ClientSettings

countSentCommands()
const redis = new Redis(firstOf(servers))
const session = await contenderNamed(contender).open(servers, { leaseMs })
tell('ready')

for (;;) {
  const { task, facts } = await hear('task')
  const perform = tasks[task as TaskName] as (...args: readonly unknown[]) => Promise<object | undefined>
  tell('done', { ...(await perform({ session, redis }, facts, { tell, hear })) })
}
