import { describe, expect, it } from 'vitest'
import { eventually } from './eventually.js'

describe('eventually', () => {
  it('resolves with the first answer that is not false', async () => {
    const answers = [false, false, 'yes']
    expect(await eventually(() => answers.shift() ?? false)).toBe('yes')
  })

  it('takes a condition that throws for one that does not hold yet', async () => {
    let attempts = 0
    await eventually(() => {
      attempts += 1
      expect(attempts).toBe(3)
    })
    expect(attempts).toBe(3)
  })

  it('says what it waited for and why the last attempt failed', async () => {
    const failing = eventually(() => Promise.reject(new Error('still closed')), {
      withinMs: 5,
      what: 'the door',
    })
    await expect(failing).rejects.toThrow(
      'Expected the door within 5 ms; the last attempt failed: still closed',
    )
  })

  it('says that a condition stayed false', async () => {
    await expect(eventually(() => false, { withinMs: 5 })).rejects.toThrow('it is still false')
  })

  it('gives up a condition that never settles', async () => {
    const never = new Promise<true>(() => undefined)
    await expect(eventually(() => never, { withinMs: 5 })).rejects.toThrow('no attempt settled')
  })

  it('has no timer running while the condition looks', async () => {
    // Looks at once, so that no timer of the test runner can begin or end between the two counts.
    const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
    const before = timers()
    expect(await eventually(() => ({ timers: timers() }))).toEqual({ timers: before })
  })
})
