import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

describe('tests that run at the same time', () => {
  it.concurrent('may expect something of a promise while others end', async () => {
    await sleep(20)
    const expected = expect(Promise.reject(new Error('late'))).rejects.toThrow('late')
    await sleep(80)
    await expected
  })

  it.concurrent('end although others expect something of a promise', async () => {
    await sleep(40)
    expect(1).toBe(1)
  })
})
