import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { RedissonOptions } from '../../api/redisson-options.js'
import { ConfigError } from '../../errors/client-errors.js'
import { substitute, variableIn } from './environment.js'
import { ignoredIn, ignoredOfClient, sectionsOfPro } from '../ignored-settings.js'
import { javaClasses } from './java-classes.js'
import { codecOfFile, javaCodecs, noSuchCodec } from './java-codecs.js'
import { within } from '../read-settings.js'
import { isRecord, quoting } from '../readers.js'

/**
 * Reads a file of Redisson's shape, in YAML or JSON.
 *
 * A tag of YAML names a class. None is ever made: those of Redisson that mean something here are read as plain data.
 */
export function parseConfigFile(text: string, file: string): RedissonOptions {
  const root = parse(text, file)
  const options = valueOf(root, { key: '', names: [], ignored: false, anchors: new Map() })
  if (isRecord(options)) return withCodec(options) as unknown as RedissonOptions // checked when it is resolved
  throw new ConfigError(file, 'a file with settings by name', options, { secret: true })
}

function withCodec(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { codec, ...others } = options
  return codec === undefined ? options : { ...others, codec: codecOfFile(codec, 'codec') }
}

function parse(text: string, file: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const [error] = document.errors
  if (error === undefined) return document.contents
  const { line, col } = lines.linePos(error.pos[0])
  const where = `${error.code} at line ${line}, column ${col}`
  // The parser's own error may quote the file, and with it a password.
  const message = `Expected \`${file}\` to be valid YAML or JSON, got ${JSON.stringify(where)}`
  throw new ConfigError(file, 'valid YAML or JSON', undefined, { message, cause: new SyntaxError(where) })
}

/** Where in the file a value stands. */
interface Place {
  readonly key: string
  /** The names of the settings that lead to it. */
  readonly names: readonly string[]
  /** Nothing is asked of what is ignored anyway. */
  readonly ignored: boolean
  /** The values that were given a name so far. */
  readonly anchors: Map<string, unknown>
}

function valueOf(node: unknown, place: Place): unknown {
  if (isAlias(node)) return valueOfAlias(node.source, place)
  if (!isScalar(node) && !isCollection(node)) return null
  const value = withClass(
    node.tag,
    isScalar(node) ? valueOfScalar(node, place) : valueOfCollection(node, place),
    place,
  )
  if (node.anchor !== undefined) place.anchors.set(node.anchor, value)
  return value
}

function valueOfAlias(name: string, { key, anchors }: Place): unknown {
  if (anchors.has(name)) return anchors.get(name)
  throw new ConfigError(key, 'free of aliases whose anchor does not come before them', name, { secret: true })
}

type Collection = YAMLMap | YAMLSeq

function isCollection(node: unknown): node is Collection {
  return typeof node === 'object' && node !== null && 'items' in node
}

function valueOfCollection(node: Collection, place: Place): unknown {
  return isMap(node)
    ? valueOfMap(node, place)
    : node.items.map((item, index) => valueOf(item, at(place, index)))
}

function valueOfMap(map: YAMLMap, place: Place): unknown {
  const own: [string, unknown][] = []
  const merged: [string, unknown][] = []
  for (const { key, value } of map.items) {
    const name = nameOf(key, map, place)
    if (name === MERGE) merged.push(...entriesToMerge(valueOf(value, place), place))
    else own.push([name, valueOf(value, inside(place, sourceOf(key as Scalar)))])
  }
  return Object.fromEntries([...merged, ...own])
}

/** Takes in the settings of another mapping, as long as the present one does not say them itself. */
const MERGE = '<<'

function entriesToMerge(value: unknown, { key }: Place): [string, unknown][] {
  const sources: unknown[] = Array.isArray(value) ? value.toReversed() : [value] // the first has the last word
  return sources.flatMap((source) => {
    if (isRecord(source)) return Object.entries(source)
    throw new ConfigError(within(key, MERGE), 'a mapping or a list of mappings', source, { secret: true })
  })
}

function nameOf(key: unknown, map: YAMLMap, place: Place): string {
  if (!isScalar(key))
    throw new ConfigError(place.key || 'options', 'a mapping whose keys are names', undefined)
  const source = sourceOf(key)
  if (!place.ignored && !isTable(map, place)) demandNoVariable(source, place)
  return filledIn(source, place)
}

/** Whose names are not those of settings, but addresses, or names of objects. */
const tables: ReadonlySet<string> = new Set(['hostsMap', 'hostsPortMap', 'natMap', 'natMapper', 'caches'])

function isTable({ tag }: YAMLMap, { names }: Place): boolean {
  return tag === undefined && tables.has(names.at(-1) ?? '')
}

/** Messages show the names of settings, also of those that there are not. The value of a variable may be a secret. */
function demandNoVariable(name: string, { key }: Place): void {
  const variable = variableIn(name)
  if (variable === undefined) return
  const where = key || 'options'
  const expected = 'a mapping whose names have no environment variables'
  const message = `Expected \`${where}\` to be ${expected}, got one with ${variable}`
  throw new ConfigError(where, expected, undefined, { message })
}

function inside(place: Place, name: string): Place {
  return {
    ...place,
    key: within(place.key, name),
    names: [...place.names, name],
    ignored: place.ignored || isIgnored(place.names, name),
  }
}

function at(place: Place, index: number): Place {
  return { ...place, key: `${place.key}[${index}]` }
}

function isIgnored([section, ...deeper]: readonly string[], name: string): boolean {
  if (section === undefined) return ignoredOfClient.has(name) || sectionsOfPro.has(name)
  return deeper.length === 0 && ignoredIn(section).has(name)
}

/** Settings that are text, even where it looks like a number or a word of YAML. Java reads them so as well. */
const texts: ReadonlySet<string> = new Set([
  'address',
  'clientName',
  'hostsMap',
  'hostsPortMap',
  'masterAddress',
  'masterName',
  'natMap',
  'nodeAddresses',
  'passphrase',
  'password',
  'sentinelAddresses',
  'sentinelPassword',
  'sentinelUsername',
  'shardedSubscriptionMode',
  'slaveAddresses',
  'username',
])

function isText({ names }: Place): boolean {
  return names.some((name) => texts.has(name))
}

function valueOfScalar(node: Scalar, place: Place): unknown {
  const source = sourceOf(node)
  const text = filledIn(source, place)
  if (isText(place)) return node.type === Scalar.PLAIN && plainValue(text) === null ? null : text
  return text === source ? node.value : plainValue(text)
}

function filledIn(text: string, { key, ignored }: Place): string {
  return substitute(text, (name, reference) => {
    if (ignored) return reference
    throw new ConfigError(key || 'options', `given by the environment variable ${name}`, undefined)
  })
}

function sourceOf({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value))
}

/** What a text without quotes means in YAML. A variable has no other way to give a number. */
function plainValue(text: string): unknown {
  if (/^(?:null|~|)$/i.test(text)) return null
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

/** Tags that say no more than what kind of YAML it is. */
const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((type) => `tag:yaml.org,2002:${type}`),
)

function withClass(tag: string | undefined, value: unknown, place: Place): unknown {
  if (tag === undefined || plainTags.has(tag) || place.ignored) return value
  const name = tag.replace(/^(?:tag:yaml\.org,2002:|!)/, '')
  const isCodec = place.names[0] === 'codec'
  const meaning = (isCodec ? javaCodecs : javaClasses).get(name.replace(/^org\.redisson\.(?:\w+\.)*/, ''))
  if (meaning !== undefined && name.startsWith('org.redisson.')) return meaning(value, place.key)
  const secret = isText(place) || !/^\w+(?:\.[\w$]+)+$/.test(name) // a text that begins with `!` without quotes
  const expected = 'free of Java classes that mean nothing here'
  if (secret) throw new ConfigError(place.key, expected, name, { secret })
  throw isCodec ? noSuchCodec(place.key, name) : quoting(place.key, expected, name)
}
