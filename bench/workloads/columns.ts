import type { Column } from './workload.js'

/** Columns that several workloads have. */
export const columns = {
  perSecond: { key: 'perSecond', title: 'sections/s', digits: 0 },
  waitP50: { key: 'waitP50', title: 'p50 ms', digits: 2 },
  waitMean: { key: 'waitMean', title: 'mean ms', digits: 2 },
  waitP99: { key: 'waitP99', title: 'p99 ms', digits: 2 },
  waitMax: { key: 'waitMax', title: 'max ms', digits: 1 },
  cpu: { key: 'cpu', title: 'CPU µs', digits: 0 },
  commands: { key: 'commands', title: 'commands', digits: 2 },
  keysLeft: { key: 'keysLeft', title: 'keys left', digits: 0 },
} as const satisfies Record<string, Column>

/** What is shown of everything that goes in and out again and again. */
export const ofSections: readonly Column[] = Object.values(columns)
