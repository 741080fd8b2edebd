import { measure, nowMs, type CountedSample } from '../measure.js'
import { sentCommands } from '../sent-commands.js'
import { actions } from './inside.js'
import { takeOf, type Stand } from './stand.js'

export interface QueueTask {
  readonly name: string
  readonly waiters: number
}

export interface QueueSample extends CountedSample {
  /** Commands that were sent before the first waiter got it. */
  readonly whileWaiting: number
}

/** Has many wait for one lock, each for one turn. */
export async function queue(stand: Stand, { name, waiters }: QueueTask): Promise<QueueSample> {
  const take = takeOf(stand, 'lock')
  const before = sentCommands()
  let whileWaiting: number | undefined
  const sample = await measure(async ({ waitsMs }) => {
    const act = actions.count(stand.redis)
    const waiter = async (): Promise<void> => {
      const askedAtMs = nowMs()
      const release = await take(name)
      whileWaiting ??= sentCommands() - before
      waitsMs.push(nowMs() - askedAtMs)
      await act()
      await release()
    }
    await Promise.all(Array.from({ length: waiters }, waiter))
  })
  return { ...sample, whileWaiting: whileWaiting ?? 0 }
}
