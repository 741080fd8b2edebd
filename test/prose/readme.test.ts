import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommonOptions, ServerOptions } from '../../src/api/redisson-options.js'
import type { Config } from '../../src/config/config.js'
import { ignoredIn, ignoredOfClient } from '../../src/config/ignored-settings.js'
import { resolveConfig } from '../../src/config/resolve-config.js'
import * as library from '../../src/index.js'
import {
  blocksOf,
  compileSnippets,
  headingsOf,
  linksOf,
  pages,
  root,
  rowsOf,
  textOf,
  type Snippet,
} from './snippets.js'
import { startChild } from '../support/child.js'
import { temporaryFolder } from '../support/launch/guard.js'
import { addressOf } from '../support/launch/topology.js'
import { cluster, sentinel, single, topologies } from '../support/topologies.js'

/** The servers that the prose speaks of, and those that it means here. */
const places: readonly (readonly [string, string])[] = [
  ['redis://127.0.0.1:6379', addressOf(single.nodes[0])],
  ...sentinel.sentinels.map((node, n) => [`redis://sentinel-${n + 1}:26379`, addressOf(node)] as const),
  ...cluster.nodes.map((node, n) => [`redis://node-${n + 1}:6379`, addressOf(node)] as const),
]

function here(text: string): string {
  return places.reduce((meant, [said, address]) => meant.replaceAll(said, `redis://${address}`), text)
}

/**
 * A snippet is a module of its own. Where it neither makes nor imports `client`, `work` or `Redisson`, it is given that of
 * `prose/surroundings.ts`. It is run, unless it is marked `no-run`. The files that it reads are the page's blocks that
 * are marked with their names.
 */
describe('the snippets', () => {
  const snippets = compileSnippets()
  const running = snippets.filter(({ mark }) => mark !== 'no-run')
  const outcomes = new Map<string, unknown>()

  beforeAll(async () => {
    const folder = temporaryFolder()
    for (const { language, mark, code } of pages.flatMap(blocksOf)) {
      if (language === 'yaml' && mark !== '') writeFileSync(join(folder, mark), here(code))
    }
    const files = running.map((snippet) => {
      const file = join(folder, `${nameOf(snippet).replaceAll(/\W/g, '-')}.mjs`)
      writeFileSync(file, here(snippet.compiled))
      return file
    })
    await using child = startChild(new URL('run-snippets.ts', import.meta.url), {
      args: [folder, ...files],
      env: { REDIS_URL: `redis://${addressOf(single.nodes[0])}`, NODE_OPTIONS: '--no-warnings' },
    })
    for (const snippet of running) outcomes.set(nameOf(snippet), (await child.hear('ran'))['error'])
  }, 120_000)

  afterAll(async () => {
    const nodes = topologies.flatMap((topology) => topology.nodes)
    await Promise.all(nodes.map((node) => node.command('FLUSHALL').catch(() => undefined))) // replicas refuse
  })

  it.each(snippets.map((snippet) => [nameOf(snippet), snippet] as const))(
    'compile: %s',
    (_, { complaints }) => {
      expect(complaints).toEqual([])
    },
  )

  const ran = (name: string) => {
    expect(outcomes.get(name)).toBeUndefined()
  }

  it.each(running.filter((snippet) => !isTimed(snippet)).map(nameOf))('run: %s', ran)

  it.each(running.filter(isTimed).map(nameOf))('run: %s', { tags: ['timed'] }, ran)
})

/** Whether it has leases or replicas that do not wait for a busy machine. */
function isTimed({ code }: Snippet): boolean {
  return /acquire\(\{ leaseMs: \d{1,3} \}\)|syncedReplicas/.test(code)
}

function nameOf({ page, line }: Snippet): string {
  return `${page}:${line}`
}

describe('the links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    const dead = linksOf(page).filter(
      ({ path, heading }) =>
        !existsSync(join(root, path)) || (heading !== undefined && !headingsOf(path).includes(heading)),
    )
    expect(dead).toEqual([])
  })
})

describe('the commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }

  it.each(pages)('of %s are scripts of the package', (page) => {
    const named = [...textOf(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

describe('the page on failures', () => {
  const page = 'docs/guide/when-locks-fail.md'

  it('says which eviction a server has to be set to, and what works while a slot moves', () => {
    expect(headingsOf(page)).toEqual(expect.arrayContaining(['eviction', 'clusters']))
    expect(textOf(page)).toContain('Set `maxmemory-policy` to `noeviction`')
    expect(textOf(page)).toContain('In an open slot Redis runs no')
  })
})

describe('the table of errors', () => {
  it('has every error and its code', () => {
    const rows = rowsOf('docs/guide/getting-started.md', 'Errors').map(([name, code = '']) => [name, code])
    const bases = ['RedissonError', 'RequestError']
    const errors = Object.entries(library).filter(
      ([name]) => /^[A-Z]\w*Error$/.test(name) && !bases.includes(name),
    )
    expect(rows.map(([name]) => name).sort()).toEqual(errors.map(([name]) => name).sort())
    const codes = rows.map(([, code = '']) => Object.assign(new Error(), { code: code.replaceAll('`', '') }))
    expect(codes.filter((error) => !library.isRedissonError(error))).toEqual([])
  })
})

describe('the tables of settings', () => {
  const page = 'docs/guide/topologies-and-configuration.md'
  const address = 'redis://127.0.0.1:6379'

  const sections = {
    'One server': 'singleServerConfig',
    Sentinels: 'sentinelServersConfig',
    Cluster: 'clusterServersConfig',
  } as const

  const namesIn = (heading: string) => rowsOf(page, heading).map(([name]) => name)

  /** The settings that can stand somewhere, as the error for one that cannot be there tells them. */
  const known = (options: object): string[] => {
    try {
      resolveConfig(options as never)
    } catch (error) {
      const [, list = ''] = /^one of (.*)$/.exec((error as library.ConfigError).expected) ?? []
      return list.split(', ')
    }
    return []
  }

  it.each(Object.entries(sections))('have all settings of a section: %s', (heading, section) => {
    const documented = [...namesIn(heading), ...namesIn('Settings of every server section')]
    expect(documented.sort()).toEqual(known({ [section]: { nonsense: 1 } }).sort())
  })

  it('have all settings of the client', () => {
    const servers = /Config$|^ioredis$/
    const documented = namesIn('Settings of the client')
    expect(documented.sort()).toEqual(
      known({ nonsense: 1 })
        .filter((name) => !servers.test(name))
        .sort(),
    )
  })

  it('have the settings of masters and replicas', () => {
    const own = [
      ...known({ masterSlaveServersConfig: { nonsense: 1 } }),
      ...known({ replicatedServersConfig: { nonsense: 1 } }),
    ].filter((name) => !namesIn('Settings of every server section').includes(name))
    expect(new Set(namesIn('A master and replicas without sentinels'))).toEqual(new Set(own))
  })

  it('tell the defaults', () => {
    const config = resolveConfig({ singleServerConfig: { address } })
    const rows = [
      ...rowsOf(page, 'Settings of the client'),
      ...rowsOf(page, 'Settings of every server section'),
    ]
    const documented = new Map(rows.map(([name, value]) => [name, value]))
    for (const [name, meant] of Object.entries(defaults(config)))
      expect([name, documented.get(name)]).toEqual([name, meant])
  })

  it('tell the defaults of clusters and of replicated servers', () => {
    const { server } = resolveConfig({ clusterServersConfig: { nodeAddresses: [address] } })
    const { server: replicated } = resolveConfig({ replicatedServersConfig: { nodeAddresses: [address] } })
    const toldIn = (heading: string) => new Map(rowsOf(page, heading).map(([name, value]) => [name, value]))
    expect(server).toMatchObject({ scanIntervalMs: Number(toldIn('Cluster').get('scanInterval')) })
    expect(server).toMatchObject({ shardedSubscriptionMode: 'AUTO' })
    expect(replicated).toMatchObject({
      scanIntervalMs: Number(toldIn('A master and replicas without sentinels').get('scanInterval')),
    })
  })

  it('have all settings that are ignored', () => {
    const listed = (mark: string) =>
      blocksOf(page)
        .filter((block) => block.mark === mark)
        .flatMap(({ code }) => code.trim().split(/\s+/))
    const everySection = known({ nonsense: 1 }).filter((name) => name.endsWith('Config'))
    const inSections = new Set(everySection.flatMap((section) => [...ignoredIn(section)]))
    expect(listed('ignored-of-client')).toEqual([...ignoredOfClient].sort())
    expect(listed('ignored-in-sections')).toEqual([...inSections].sort())
  })
})

/** What the tables should say, by what the settings come to. */
function defaults(config: Config): Partial<Record<keyof CommonOptions | keyof ServerOptions, string>> {
  return {
    lockWatchdogTimeout: String(config.lockWatchdogTimeoutMs),
    lockWatchdogBatchSize: String(config.lockWatchdogBatchSize),
    checkLockSyncedSlaves: String(config.syncedReplicas > 0),
    slavesSyncTimeout: String(config.slavesSyncTimeoutMs),
    fairLockWaitTimeout: String(config.fairLockWaitTimeoutMs),
    reliableTopicWatchdogTimeout: String(config.reliableTopicWatchdogTimeoutMs),
    holdWarningMs: config.holdWarningMs === undefined ? 'none' : String(config.holdWarningMs),
    releaseWaitMs: String(config.releaseWaitMs),
    tcpKeepAlive: String(config.keepAlive),
    timeout: String(config.timeoutMs),
    connectTimeout: String(config.connectTimeoutMs),
    retryAttempts: String(config.retryAttempts),
    retryDelay: `equal jitter, 1000 to ${config.longestRetryDelayMs}`,
    subscriptionTimeout: String(config.subscriptionTimeoutMs),
    pingConnectionInterval: String(config.pingIntervalMs),
  }
}
