import { describe, expect, it } from 'vitest'
import { installServer } from './install-server.js'

describe('installing a server', () => {
  it('asks nothing, and stops the service that the package starts', async () => {
    const commands: string[] = []
    await installServer((program, args) => Promise.resolve(commands.push([program, ...args].join(' '))))
    expect(commands).toEqual([
      'apt-get update',
      'apt-get install --yes --no-install-recommends redis-server redis-tools',
      'service redis-server stop',
    ])
  })

  it('goes on when the lists cannot be brought up to date, or nothing manages services', async () => {
    await installServer((_, args) =>
      args.includes('install') ? Promise.resolve() : Promise.reject(new Error('no')),
    )
  })

  it('fails when the package cannot be had', async () => {
    const failing = installServer((_, args) =>
      args.includes('install') ? Promise.reject(new Error('no such package')) : Promise.resolve(),
    )
    await expect(failing).rejects.toThrow('no such package')
  })
})
