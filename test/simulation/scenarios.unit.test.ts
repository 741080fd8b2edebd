import { afterAll, describe, expect, it } from 'vitest'
import { install } from './world/install.js'

// Before the library and ioredis are imported, which keep what they find then.
const uninstall = install()
const library = await import('../../src/index.js')
const { scenarios } = await import('./scenarios/all.js')
const { play } = await import('./scenarios/scenario.js')

afterAll(uninstall)

describe('the library', () => {
  for (const scenario of scenarios) {
    const test = scenario.knownToFail === undefined ? it : it.fails
    test(`keeps its promise: ${scenario.promise}`, async () => {
      const { broken } = await play(scenario, { library })
      if (broken) throw broken
    })
  }
})

describe('scenarios', () => {
  it('have names and titles of their own', () => {
    const names = scenarios.map(({ name }) => name)
    const promises = scenarios.map(({ promise }) => promise)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(promises).size).toBe(promises.length)
  })
})
