import { Redis } from 'ioredis'
import { hear, tell } from '../../test/support/child-side.js'
import type { ClientSettings, Session } from '../contenders/contender.js'
import { contenderNamed } from '../contenders/contenders.js'
import { firstOf } from '../contenders/first-of.js'
import { countSentCommands } from './sent-commands.js'
import { tasks, type TaskName } from './tasks/tasks.js'

// A process that uses one contender, or several in turn, and does one task after the other.
const { contender, servers, leaseMs } = JSON.parse(process.argv[2] ?? '') as ClientSettings

countSentCommands()
const redis = new Redis(firstOf(servers))
const sessions = new Map<string, Session>()
await sessionOf(contender)
tell('ready')

for (;;) {
  const { task, facts, contender: name } = await hear('task')
  const session = await sessionOf(name as string)
  const perform = tasks[task as TaskName] as (...args: readonly unknown[]) => Promise<object | undefined>
  tell('done', { ...(await perform({ session, redis }, facts, { tell, hear })) })
}

async function sessionOf(name: string): Promise<Session> {
  const session = sessions.get(name) ?? (await contenderNamed(name).open(servers, { leaseMs }))
  sessions.set(name, session)
  return session
}
