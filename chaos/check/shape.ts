import { LOCKS, TOPOLOGIES, type Entry } from '../history.js'

type Check = (value: unknown) => boolean

/** What every field of every entry has to be. */
type Shapes = {
  readonly [T in Entry['type']]: {
    readonly [K in keyof Omit<Required<Extract<Entry, { type: T }>>, 'type'>]: Check
  }
}

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number'
const record: Check = (value) => typeof value === 'object' && value !== null
const texts: Check = (value) => Array.isArray(value) && value.every(text)
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const SHAPES: Shapes = {
  run: {
    seed: number,
    lock: oneOf(...LOCKS),
    topology: oneOf(...TOPOLOGIES),
    syncedReplicas: number,
    leaseMs: number,
    permits: number,
  },
  fault: { at: number, phase: oneOf('begin', 'end'), fault: number, kind: text, target: text },
  process: { at: number, process: text, phase: oneOf('started', 'killed', 'ended') },
  begin: {
    at: number,
    id: text,
    process: text,
    flow: number,
    op: oneOf('acquire', 'release'),
    side: oneOf('read', 'write'),
    name: text,
    hold: text,
    within: optional(text),
  },
  end: {
    at: number,
    id: text,
    outcome: oneOf('ok', 'refused', 'failed'),
    error: optional(text),
    token: optional(number),
  },
  step: {
    at: number,
    hold: text,
    what: oneOf('holds', 'lost', 'added', 'fenced-off'),
    element: optional(text),
  },
  resource: { at: number, name: text, elements: texts },
  look: { at: number, hold: text, claimed: number, found: number },
  rejected: { at: number, process: text, what: text, error: text },
  closing: {
    at: number,
    process: text,
    phase: oneOf('begin', 'end'),
    drainMs: number,
    release: oneOf(true, false),
  },
  trouble: { at: number, where: text, what: text },
  call: {
    at: number,
    id: text,
    process: text,
    flow: number,
    kind: text,
    name: text,
    method: text,
    args: record,
    exactlyOnce: oneOf(true, false),
    batch: optional(record),
  },
  answer: {
    at: number,
    id: text,
    outcome: oneOf('ok', 'failed'),
    result: () => true,
    error: optional(text),
    mayHaveRun: optional(oneOf(true, false)),
  },
}

const FIELDS: ReadonlyMap<unknown, readonly (readonly [string, Check])[]> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [type, Object.entries(shape)] as const),
)

/** Returns what is wrong with a value as an entry, or nothing. */
export function flawOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'no object'
  const record = value as Readonly<Record<string, unknown>>
  const fields = FIELDS.get(record['type'])
  if (fields === undefined) return `the type ${String(record['type'])}`
  const [wrong] = fields.find(([name, check]) => !check(record[name])) ?? []
  if (wrong === undefined) return undefined
  return wrong in record ? `the ${wrong} ${JSON.stringify(record[wrong])}` : `no ${wrong}`
}
