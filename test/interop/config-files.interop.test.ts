import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { RedissonOptions } from '../../src/api/redisson-options.js'
import { parseConfigFile } from '../../src/config/file/config-file.js'
import type { Config } from '../../src/config/config.js'
import { resolveConfig } from '../../src/config/resolve-config.js'
import { JavaPeer } from './java-peer.js'

const sections: readonly (readonly [section: string, own: string, mode: string])[] = [
  ['singleServerConfig', 'address: "redis://127.0.0.1:6379"', 'single'],
  [
    'masterSlaveServersConfig',
    'masterAddress: "redis://127.0.0.1:6379", slaveAddresses: ["redis://127.0.0.1:6380"]',
    'masterSlave',
  ],
  ['sentinelServersConfig', 'masterName: m, sentinelAddresses: ["redis://127.0.0.1:26379"]', 'sentinel'],
  ['replicatedServersConfig', 'nodeAddresses: ["redis://127.0.0.1:6379"]', 'replicated'],
  ['clusterServersConfig', 'nodeAddresses: ["redis://127.0.0.1:6379"]', 'cluster'],
]

describe.skipIf(inject('javaPeer').missing !== undefined)('a configuration file of Redisson', () => {
  let peer: JavaPeer

  beforeAll(async () => {
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    peer = await JavaPeer.start()
  })

  afterAll(async () => {
    await peer.end()
  })

  const printed = async (settings: string): Promise<Config> =>
    resolveConfig(parseConfigFile(await peer.print(`{${settings}}`), 'redisson.yaml'))

  it.each(sections)('loads as Redisson prints it: %s', async (section, own, mode) => {
    const { server } = await printed(`${section}: {${own}}`)
    expect(server.mode).toBe(mode)
  })

  it('loads with the codecs and addresses that it names', async () => {
    const natMap = 'natMap: {"10.0.0.1:6379": "127.0.0.1:7001"}'
    const text = `clusterServersConfig: {nodeAddresses: ["redis://127.0.0.1:6379"], ${natMap}}`
    await expect(peer.print(`{${text}}`)).resolves.toContain('HostPortNatMapper') // Java reads it, and writes the class alone
    const { server } = resolveConfig(parseConfigFile(`{${text}}`, 'redisson.yaml'))
    const map = server.mode === 'cluster' ? server.mapAddress : undefined
    expect(map?.({ host: '10.0.0.1', port: 6379 })).toEqual({ host: '127.0.0.1', port: 7001 })

    const { codecs } = await printed(
      'singleServerConfig: {address: "redis://h:1"}, codec: !<org.redisson.codec.JsonJacksonCodec> {}',
    )
    expect(codecs.single.name).toBe('jackson')
  })

  it('may have every setting that Redisson has, deprecated ones too', async () => {
    const settings = await peer.settings()
    const isUnknown = (options: object) => {
      try {
        resolveConfig(options as RedissonOptions)
        return false
      } catch (error) {
        return String(error).includes('Unknown setting')
      }
    }
    const unknown = Object.entries(settings).flatMap(([section, names]) =>
      names.filter((name) => isUnknown(section === '' ? { [name]: {} } : { [section]: { [name]: {} } })),
    )
    expect(Object.keys(settings)).toEqual(['', ...sections.map(([section]) => section)])
    expect(unknown).toEqual([])
  })
})
