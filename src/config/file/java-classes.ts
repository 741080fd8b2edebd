import type { DelayOptions, NatMapper } from '../../api/redisson-options.js'
import { parseDuration } from '../duration.js'
import { readSettings } from '../read-settings.js'
import { isRecord, type Reader, text } from '../readers.js'
import { hostAndPort, tableOf } from '../tables.js'

/** What the classes of Redisson mean here that a file may name, by their simple name: plain data, a function, or nothing. */
export const javaClasses: ReadonlyMap<string, Reader<unknown>> = new Map<string, Reader<unknown>>([
  ['ConstantDelay', (value) => toDelay('ConstantDelay', value, { delay: 100 })],
  ['EqualJitterDelay', (value) => toDelay('EqualJitterDelay', value, jitter)],
  ['FullJitterDelay', (value) => toDelay('FullJitterDelay', value, jitter)],
  ['DecorrelatedJitterDelay', (value) => toDelay('DecorrelatedJitterDelay', value, jitter)],
  ['HostPortNatMapper', toHostPortTable],
  ['HostNatMapper', toHostMapper],
  ['DefaultNameMapper', () => null],
  ['DefaultNatMapper', () => null],
])

/** What Redisson takes for a class without properties, which is also how it writes some of them. */
const jitter = { baseDelay: 100, maxDelay: 1000 }

/** Checked like any other delay when the options are resolved. */
function toDelay(type: DelayOptions['type'], value: unknown, defaults: object): unknown {
  if (!isRecord(value)) return value
  const properties = Object.entries(value).map(([name, property]) => [name, toMilliseconds(property)])
  return properties.length === 0 ? { type, ...defaults } : { ...Object.fromEntries(properties), type }
}

function toMilliseconds(value: unknown): unknown {
  return typeof value === 'string' ? (parseDuration(value) ?? value) : value
}

function toHostPortTable(value: unknown, key: string): NatMapper {
  return readSettings(value, key, { hostsPortMap: tableOf(hostAndPort) }).hostsPortMap
}

function toHostMapper(value: unknown, key: string): NatMapper {
  const hosts = new Map(Object.entries(readSettings(value, key, { hostsMap: tableOf(text) }).hostsMap))
  return ({ host, port }) => ({ host: hosts.get(host) ?? host, port })
}
