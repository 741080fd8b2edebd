import { describe, expect, it } from 'vitest'
import { LimitedResource } from './limited-resource.js'

describe('a limited resource', () => {
  it('lets in as many as it is made for, and counts them', async () => {
    const resource = new LimitedResource(2)
    await Promise.all([resource.use(() => 'a'), resource.use(() => 'b')])
    await resource.use(() => 'c')
    expect(resource).toMatchObject({ entries: 3, inside: 0, highest: 2 })
  })

  it('throws when there is one too many', async () => {
    const resource = new LimitedResource()
    await resource.use(async () => {
      await expect(resource.use(() => undefined)).rejects.toThrow('Expected at most 1 inside, got one more')
    })
    expect(resource).toMatchObject({ entries: 1, highest: 1 })
  })

  it('returns the result of the work', async () => {
    expect(await new LimitedResource().use(() => 'done')).toBe('done')
  })

  it('is left when the work fails', async () => {
    const resource = new LimitedResource()
    await expect(resource.use(() => Promise.reject(new Error('planted')))).rejects.toThrow('planted')
    expect(resource.inside).toBe(0)
  })

  it('is left only once', () => {
    const resource = new LimitedResource(2)
    const visit = resource.enter()
    resource.enter()
    visit[Symbol.dispose]()
    visit[Symbol.dispose]()
    expect(resource.inside).toBe(1)
  })
})
