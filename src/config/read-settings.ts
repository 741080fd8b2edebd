import { ConfigError } from '../errors/client-errors.js'
import { nearest } from '../util/collections/nearest.js'
import { isRecord, type Reader } from './readers.js'

/** The settings that may stand side by side, and how each of them is read. */
export type Settings = Readonly<Record<string, Reader<unknown>>>

/** What the settings mean, once read. */
export type Values<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]> }

/** What is done with the names of another program. */
export interface ForeignSettings {
  /** The names that may be there, although they mean nothing here. */
  readonly names: ReadonlySet<string>
  /** Is called with the full key of each one that is set. */
  readonly note: (key: string) => void
  /** Returns the section that a setting belongs in which was written outside of it. */
  readonly sectionOf?: (name: string) => string | undefined
}

/** Reads an object of settings by a table of what may be in it. What is in it besides is an error. */
export function readSettings<S extends Settings>(
  value: unknown,
  key: string,
  settings: S,
  foreign?: ForeignSettings,
): Values<S> {
  if (!isRecord(value)) throw new ConfigError(key, 'an object of settings', value, { secret: true })
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(settings, name)) continue
    if (foreign?.names.has(name) !== true)
      throw unknownSetting(key, name, settings, foreign?.sectionOf?.(name))
    if (isThere(value[name])) foreign.note(within(key, name))
  }
  const values = Object.entries(settings).map(([name, read]) => [name, read(value[name], within(key, name))])
  return Object.fromEntries(values) as Values<S>
}

/** Whether a setting says anything. `null` is how YAML files leave one out. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The full key of a setting inside another. */
export function within(key: string, name: string): string {
  const shown = /^[\w-]{1,64}$/.test(name) ? name : '***' // what cannot be a name may be a secret on the wrong line
  return key === '' ? shown : `${key}.${shown}`
}

function unknownSetting(key: string, name: string, settings: Settings, section?: string): ConfigError {
  const known = Object.keys(settings)
  const belongs = section === undefined ? undefined : `it belongs in \`${section}\``
  const hint = HINTS.get(within(key, name)) ?? belongs ?? hintAt(nearest(name, known), known)
  return new ConfigError(within(key, name), `one of ${known.join(', ')}`, undefined, {
    message: `Unknown setting \`${within(key, name)}\`; ${hint}`,
  })
}

/** What those mean who know other clients. */
const ONE_SERVER = "one server is `singleServerConfig: { address: 'redis://host:port' }`"
const HINTS: ReadonlyMap<string, string> = new Map(
  ['host', 'port', 'address', 'url'].map((name) => [name, ONE_SERVER]),
)

function hintAt(meant: string | undefined, known: readonly string[]): string {
  return meant === undefined ? `there are ${known.join(', ')}` : `did you mean \`${meant}\`?`
}
