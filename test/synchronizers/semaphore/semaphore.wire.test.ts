import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

/** What Java Redisson makes of a name: the channel of a semaphore. */
const names = [
  ['wire-semaphore', 'redisson_sc:{wire-semaphore}'],
  ['{tag}:wire-semaphore', 'redisson_sc:{tag}:wire-semaphore'],
] as const

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each(names)('a semaphore called %s is a number, and says how it changes', async (name, channel) => {
    const semaphore = clients.mine.getSemaphore(name)
    const value = async () => [await look.ask(name, 'GET'), await look.ask(name, 'TYPE')]
    const steps: readonly (readonly [() => Promise<unknown>, unknown])[] = [
      [() => semaphore.trySetPermits(10), '10'],
      [() => semaphore.trySetPermits(15), '10'],
      [() => semaphore.acquire(3), '7'],
      [() => semaphore.tryAcquire(8), '7'],
      [() => semaphore.release(2), '9'],
      [() => semaphore.releaseIfExists(), '10'],
      [() => semaphore.addPermits(5), '15'],
      [() => semaphore.drainPermits(), '0'],
      [() => semaphore.addPermits(-4), '-4'],
      [() => semaphore.release(6), '2'],
    ]
    for (const [step, expected] of steps) {
      await step()
      expect(await value()).toEqual([expected, 'string'])
    }
    expect(await semaphore.delete()).toBe(true)
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    expect(await semaphore.releaseIfExists()).toBe(false)
    // What was set, what there is after each release and addition, and nothing that Java would stumble over.
    const said = ['10', '9', '10', '15', '2'].map((number) => `${look.publish} ${number}`)
    expect(await look.messagesAt(channel)).toEqual(said)
  })

  it('a semaphore ends at its set time, and not sooner', async () => {
    const semaphore = clients.mine.getSemaphore('wire-semaphore-with-end')
    await semaphore.trySetPermits(3, 60_000)
    expect(await look.ask(semaphore.name, 'PTTL')).toBeGreaterThan(50_000)
    await semaphore.delete()
  })

  it('what is published is a number and no less than one', async () => {
    const semaphore = clients.mine.getSemaphore('wire-semaphore-below-zero')
    await semaphore.trySetPermits(0)
    await semaphore.addPermits(-5)
    await semaphore.release(2)
    await semaphore.release(3)
    expect(await look.messagesAt('redisson_sc:{wire-semaphore-below-zero}')).toEqual([])
    await semaphore.release()
    expect(await look.messagesAt('redisson_sc:{wire-semaphore-below-zero}')).toEqual([`${look.publish} 1`])
    await semaphore.delete()
  })
})
