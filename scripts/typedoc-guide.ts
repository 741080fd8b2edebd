/**
 * A plugin of typedoc. Pages of the guide have the titles that they begin with, and stand in groups by task. The module is called API, and beside the
 * pages is an overview of them: `llms.txt`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of each group, as their files are called, with what each is about. A test compares them with the files. */
export const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Start here': {
    'getting-started': 'connect, take a lock, wait with a time limit, react to a loss, shut down',
    objects: 'every object of Redisson 4.7, and whether it is here',
    recipes:
      'a cron job that runs once, a leader, a rate limit for each user, a leaderboard, an idempotency key, sessions, NestJS',
    'http-services':
      'a server whose requests need a lock: statuses 409 and 503, deadlines, health checks, SIGTERM',
    testing: 'a real server or a fake of the client, with vitest, Jest and node:test',
    migration: 'from redlock, redis-semaphore, node-redisson, async-mutex and Redisson for Java',
  },
  Locks: {
    ownership: 'who holds a lock: scopes, threads, markers and holds',
    waiting: 'what happens between a request for a lock and its acquisition',
    'fair-locks': 'locks that serve their waiters in the order of their requests',
    'read-write-locks': 'many readers at the same time, or one writer',
    'fenced-locks': 'tokens by which a database rejects the late writes of a former holder',
    'multi-locks-and-red-locks':
      'several locks taken as one: all of them, or a majority at independent servers',
    'spin-and-non-reentrant-locks':
      'locks that wait without messages, and locks that the same owner cannot take twice',
    synchronizers: 'objects that let processes wait for each other, and limit how many or how often',
    'rate-limiters': 'limits for each user, for one resource, and what they do without Redis',
    'work-limiters': 'functions of all processes within a concurrency and a rate, queued by priority',
  },
  Data: {
    values: 'buckets, counters, adders, ids and HyperLogLogs',
    maps: 'values by key, with loaders and writers',
    'map-caches': 'maps whose entries expire, with a limit of their size',
    'local-cached-maps': 'maps that keep entries in the process',
    'local-cached-map-caches': 'map caches that keep entries in the process',
    'client-side-caching': 'objects whose reads are kept in the process until Redis reports a change',
    caches: 'values that are loaded once in all processes',
    multimaps: 'any number of values for each key',
    lists: 'values in an order',
    queues: 'values added at one end and removed at the other, and deques',
    'blocking-queues': 'queues whose callers wait for elements, of one or of several, and consumers',
    'bounded-queues': 'blocking queues with a capacity, whose callers wait for room too',
    'reliable-queues': 'queues whose messages are acknowledged',
    'transfer-queues': 'queues whose producers wait until their elements are taken',
    'job-queues': 'from BullMQ, pg-boss and bee-queue',
    'delayed-queues': 'elements that a queue gets when their delay is over',
    'ring-buffers': 'queues that keep the newest elements',
    'priority-queues': 'texts or numbers, the lowest first, for data that is shared with Java',
    streams: 'messages that consumers of a group share, and acknowledge',
    sets: 'each value once',
    'set-caches': 'sets whose values expire',
    'sorted-sets': 'values in the order of their scores: leaderboards, priority queues, indexes by time',
    'lex-sorted-sets': 'texts in the order of their bytes: indexes and autocompletion',
    'natural-sorted-sets': 'texts or numbers in their natural order, for data that is shared with Java',
    geo: 'members and their places, with a search for nearby members',
    'time-series': 'values by timestamp, with labels and times to live',
    'bit-sets': 'one bit for each index',
    'bloom-filters': 'whether a value was never added or was probably added, in some 10 bits for each',
    'binary-streams': 'bytes under one name, read and written in parts by streams',
    snowflakes: 'ids of 63 bits that sort by time, made without a request',
    topics: 'pub/sub channels, patterns and sharded channels',
    'reliable-topics': 'messages that are stored until each subscriber has acknowledged them',
    keys: 'iterating over all keys, counting and removing them',
    scripts: 'scripts in Lua and functions of Redis 7',
    batches: 'many calls in one round trip, or in one atomic step',
    codecs: 'how values become bytes: JSON, text, MessagePack, compression, codecs of Java',
    'lost-replies': 'what each object does when a connection breaks before the reply',
  },
  Operation: {
    production: 'settings to check, alarms, Kubernetes, persistence, memory, hosted servers',
    'topologies-and-configuration':
      'a single server, Sentinel, Cluster and replicas; all settings; files in YAML',
    permissions: 'the rights (ACL) that a client needs in Redis',
    'shutting-down': 'what `shutdown()` does, and how to handle SIGTERM',
    diagnostics: 'tracing channels for metrics and traces',
    'when-locks-fail': 'what can go wrong with a lock, and what the program has to do',
    'stuck-locks': 'finding the holder with redis-cli, and freeing the lock safely',
    troubleshooting: 'symptoms, warnings and error codes, and what to do about each',
  },
  'With Java': {
    'java-interop': 'what both sides share, what differs, and the methods that only Java has',
    'wire-format': 'the keys, fields and messages of each object in Redis',
  },
}

/** The groups of what the API exports, beside those by kind. */
const apiGroups: readonly (readonly [group: string, names: RegExp])[] = [
  ['The client', /^Redisson(?:Client|Options)?$/],
  ['Locks', /^R(?:Lock|(?:Fenced|ReadWrite|Multi)Lock)$|^LockHold$|^FencingGuard$/],
  ['Objects', /^R[A-Z]|^(?:Once|LeaderElection)$/],
  ['Errors', /Error$/],
]

/** What comes first in its group. The others are sorted by their names. */
const FIRST = ['Redisson', 'RedissonClient', 'RLock']

/** The pages that no task needs. */
const BACKGROUND = 'Background'

/** What the overview lists of the API. */
const entrances: Readonly<Record<string, string>> = {
  RedissonClient: 'the client, with the getter of every object',
  RedissonOptions: 'all settings of a client',
  RLock: 'the methods of a lock',
}

/** What is changed of a page. The types of typedoc need those of browsers. */
interface Page {
  name: string
  readonly content: readonly { text: string }[]
  readonly frontmatter: Record<string, unknown>
}

/** A site that has been written. */
export interface Site {
  readonly outputDirectory: string
  readonly pages: readonly { readonly url: string; readonly model: { readonly name: string } }[]
}

/** What the API exports, as far as it is put into groups. */
interface Export {
  readonly name: string
  readonly comment?: { readonly blockTags: object[] }
}

/** The project, with the API as its only module. */
interface Project {
  readonly children?: readonly {
    name: string
    readonly children?: readonly Export[]
    readonly groups?: readonly { readonly children: Export[] }[]
  }[]
}

interface Application {
  readonly converter: {
    on(event: 'createDocument', listener: (context: unknown, page: Page) => void): unknown
    on(
      event: 'resolveBegin' | 'resolveEnd',
      listener: (context: { readonly project: Project }) => void,
      priority?: number,
    ): unknown
  }
  readonly renderer: {
    on(event: 'endRender', listener: (site: Site) => void): unknown
  }
}

function placeOf({ name }: Export): number {
  return FIRST.includes(name) ? 0 : 1
}

/** Called by typedoc. */
export function load(app: Application): void {
  const titles = new Map<string, string>() // of the files
  app.converter.on('createDocument', (_, page) => {
    const [first] = page.content
    const heading = /^\s*# (.+)\n/.exec(first?.text ?? '')
    const file = page.name.split('/').at(-1) ?? page.name // typedoc names pages by their paths
    const group = Object.keys(groups).find((name) => groups[name]?.[file] !== undefined)
    page.frontmatter['group'] = group ?? BACKGROUND
    if (first === undefined || heading?.[1] === undefined) return
    page.name = heading[1]
    first.text = first.text.slice(heading[0].length) // the site prints the name above the page
    titles.set(file, page.name)
  })
  app.converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = 'API' // typedoc calls it by its file
      for (const { name, comment } of module.children ?? []) {
        const [group] = apiGroups.find(([, names]) => names.test(name)) ?? []
        if (group !== undefined)
          comment?.blockTags.push({ tag: '@group', content: [{ kind: 'text', text: group }] })
      }
    }
  })
  const afterOthers = -10_000
  app.converter.on(
    'resolveEnd',
    ({ project }) => {
      for (const { children } of project.children?.flatMap(({ groups = [] }) => groups) ?? [])
        children.sort((a, b) => placeOf(a) - placeOf(b))
    },
    afterOthers,
  )
  app.renderer.on('endRender', (site) => {
    writeFileSync(join(site.outputDirectory, 'llms.txt'), `${overviewOf(site, titles)}\n`)
  })
}

/** The site in one page, by the format of https://llmstxt.org. */
function overviewOf({ pages }: Site, titles: ReadonlyMap<string, string>): string {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const [, title = '', summary = ''] = /^# (.+)\n\n(.+)\n/.exec(readme) ?? []
  const urls = new Map(pages.map(({ url, model }) => [model.name, url]))
  const link = (name: string, line: string): string => {
    const url = urls.get(name)
    if (url === undefined) throw new Error(`Expected the site to have a page for ${name}`)
    return `- [${name}](${url})${line === '' ? '' : `: ${line}`}`
  }
  const linksTo = (files: Readonly<Record<string, string>>): string[] =>
    Object.entries(files).map(([file, line]) => link(titles.get(file) ?? file, line))
  const guide = Object.entries(groups).map(([group, files]) => section(group, linksTo(files)))
  const listed = Object.values(groups).flatMap(Object.keys)
  const background = [...titles.keys()].filter((file) => !listed.includes(file))
  return [
    `# ${title}`,
    `> ${summary.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`,
    ...guide,
    section('API', linksTo(entrances)),
    section('Optional', linksTo(Object.fromEntries(background.map((file) => [file, ''])))),
  ].join('\n\n')
}

function section(title: string, links: readonly string[]): string {
  return `## ${title}\n\n${links.join('\n')}`
}
