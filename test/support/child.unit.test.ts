import { describe, expect, it } from 'vitest'
import { startChild } from './child.js'
import { eventually } from './eventually.js'
import { stateOf } from './process-state.js'

const echo = new URL('fixtures/echo.ts', import.meta.url)

describe('a child process', () => {
  it('runs TypeScript on the Node of the tests, with arguments and variables', async () => {
    await using child = startChild(echo, { args: ['a', 'b'], env: { GREETING: 'hello' } })
    expect(await child.hear('ready')).toMatchObject({
      args: ['a', 'b'],
      greeting: 'hello',
      node: process.version,
    })
  })

  it('hears and is heard', async () => {
    await using child = startChild(echo)
    child.tell('say', { words: ['one', 'two\n'] })
    expect(await child.hear('said')).toMatchObject({ words: ['one', 'two\n'] })
  })

  it('keeps its messages until there is a listener', async () => {
    await using child = startChild(echo)
    child.tell('say', { words: 1 })
    child.tell('say', { words: 2 })
    expect([await child.hear('said'), await child.hear('said')]).toMatchObject([{ words: 1 }, { words: 2 }])
    expect(await child.hear('ready')).toMatchObject({ event: 'ready' })
    expect(child.output).toBe('not a message\nnot a message\n')
  })

  it('is gone when it is killed', async () => {
    const child = startChild(echo)
    await child.hear('ready')
    expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' })
    await expect(child.hear('said')).rejects.toThrow('The process ended before it sent "said"')
  })

  it('does nothing while it is paused, and goes on afterwards', async () => {
    await using child = startChild(echo)
    await child.hear('ready')
    child.pause()
    child.tell('say', { words: 'frozen' })
    const said = child.hear('said')
    await eventually(async () => {
      expect(await stateOf(child.pid ?? 0)).toMatch(/^T/)
    })
    child.resume()
    expect(await said).toMatchObject({ words: 'frozen' })
  })

  it('says why it failed', async () => {
    const child = startChild(new URL('fixtures/failing.ts', import.meta.url))
    await expect(child.hear('ready')).rejects.toThrow('Error: planted')
  })
})
