import { ITEM, type Item, type Values } from '../../contenders/values.js'
import { measure } from '../measure.js'
import type { CallSample } from './call.js'
import { demandObjects } from './plans.js'
import type { Stand } from './stand.js'

export interface PublishTask {
  /** How many messages are under way at the same time. */
  readonly publishers: number
  /**
   * By what they get to the listener.
   *
   * @defaultValue a topic
   */
  readonly over?: Extract<keyof Values, 'topic' | 'blockingQueue' | 'reliableQueue' | 'stream'>
  readonly forMs: number
}

const NAME = 'bench:messages'

/** Publishes to a listener of its own. A section is a message; its wait, from the call of publish to the listener. */
export async function publish({ session }: Stand, task: PublishTask): Promise<CallSample> {
  const { publishers, forMs, over = 'topic' } = task
  const topic = demandObjects(session.values?.[over])
  const name = `${NAME}:${over}`
  const expected = new Map<number, () => void>()
  let wrong = 0
  const stop = await topic.listen(name, ({ id, tags }: Item) => {
    const arrive = expected.get(id)
    expected.delete(id)
    if (arrive === undefined || tags.length !== ITEM.tags.length) wrong += 1
    arrive?.()
  })
  const sample = await measure(async ({ waitsMs }) => {
    const endsAt = performance.now() + forMs
    let messages = 0
    const publisher = async (): Promise<void> => {
      while (performance.now() < endsAt) {
        const id = messages++
        const { promise: arrived, resolve } = Promise.withResolvers<void>()
        const publishedAt = performance.now()
        expected.set(id, () => {
          waitsMs.push(performance.now() - publishedAt)
          resolve()
        })
        await topic.publish(name, { ...ITEM, id })
        await arrived
      }
    }
    await Promise.all(Array.from({ length: publishers }, publisher))
  })
  await stop()
  return { ...sample, wrong }
}
